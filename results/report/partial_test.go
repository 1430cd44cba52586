package report

import (
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// A report on a partial sweep says so, with what stands for the rest.
func TestPartialPlanIsToldOf(t *testing.T) {
	for name, c := range map[string]struct{ partial, want string }{
		"by a run":    {`{"since":"1a1a1a1a1a1a1a1a","run":7001,"current":19}`, "19 more points were left out, since run 7001 at 1a1a1a1a1a1"},
		"by a commit": {`{"since":"1a1a1a1a1a1a1a1a","current":2}`, "2 more points were left out, since what was measured at 1a1a1a1a1a1"},
		"full":        {`null`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			doc, err := ordjson.Parse([]byte(`{"version":1,"partial":` + c.partial + `,"families":[]}`))
			if err != nil {
				t.Fatal(err)
			}
			points, list := ReadPlan(doc)
			if len(points) != 0 || list.Refused() {
				t.Fatal(points, list)
			}
			if c.want == "" && len(list) > 0 || c.want != "" && (len(list) != 1 || !strings.Contains(list[0].Error(), c.want)) {
				t.Errorf("%v, want %q", list, c.want)
			}
			out := Build(Input{HasPlan: true, Findings: list})
			if text := out.Markdown(MarkdownOptions{}); c.want != "" && !strings.Contains(text, c.want) {
				t.Errorf("the report does not say it:\n%s", text)
			}
		})
	}
}
