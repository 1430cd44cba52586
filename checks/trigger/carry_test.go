package trigger

import (
	"strings"
	"testing"
)

// Each condition of the coverage carry, alone.
func TestCarries(t *testing.T) {
	old, head, other := strings.Repeat("a", 40), strings.Repeat("b", 40), strings.Repeat("c", 40)
	for name, c := range map[string]struct {
		change func(*Push)
		want   Why
	}{
		"all hold":                {nil, Goes},
		"no verdict":              {func(p *Push) { p.Covered, p.Passed = "", false }, NothingCovered},
		"WARN or REJECTED":        {func(p *Push) { p.Passed = false }, NotPassed},
		"another head before":     {func(p *Push) { p.Before = other }, OtherBefore},
		"the head before, cut":    {func(p *Push) { p.Before = old[:12] }, OtherBefore},
		"after is not the head":   {func(p *Push) { p.Head = other }, OtherHead},
		"after is abbreviated":    {func(p *Push) { p.After, p.Head = head[:12], head[:12] }, OtherHead},
		"a bot":                   {func(p *Push) { p.Sender.Bot, p.Actor.Bot = true, true }, ByNobody},
		"login of a bot":          {func(p *Push) { p.Sender.Login += "[bot]" }, ByNobody},
		"nobody":                  {func(p *Push) { p.Sender, p.Actor = Account{}, Account{} }, ByNobody},
		"sender is not the actor": {func(p *Push) { p.Actor = rae }, ByNobody},
		"no administrator":        {func(p *Push) { p.Admin = false }, ByNoAdmin},
	} {
		p := Push{Passed: true, Covered: old, Before: old, After: head, Head: head, Sender: nia, Actor: nia, Admin: true}
		if c.change != nil {
			c.change(&p)
		}
		if got := Carries(p); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
