package bot

import (
	"bytes"
	"errors"
	"io/fs"
	slashpath "path"
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/changelog"
	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/gitrepo"
	"github.com/sweepbot/sweepbot/matrix"
)

// ValidateRequest says what to validate.
type ValidateRequest struct {
	Head matrix.Revision
	// Base is what the changelog is compared with; without files it is not.
	Base   matrix.Revision
	Preset string // as in PlanRequest
	PR     int
}

// Validation is everything there is to say about the files of a revision.
type Validation struct {
	// Findings are the problems of all files, sorted by place.
	Findings diag.List
	Sources  Sources
	Settings config.Settings
	// Configs, Rows and Labels count what was read: configs, the rows they
	// expand to, runner labels. Entries are the new changelog entries.
	Configs, Rows, Labels, Entries int
	// Compared is set when the changelog was compared with a base.
	Compared bool
}

// Validate reads all files of a revision that planning could read, expands
// every entry of every config, and judges the change of the changelog where a
// base is known. It reports every problem, not the first one; what planning
// would refuse is refused here. The error is for files that could not be read.
func Validate(r ValidateRequest) (Validation, error) {
	v := &validator{request: r, seen: make(map[string]int)}
	policy := r.Base.Files
	if policy == nil {
		policy = r.Head.Files
	}
	settings, source, err := Settings(policy, r.Preset)
	v.out.Sources = Sources{Base: policy, Head: r.Head.Files, Layout: settings.Layout}
	if err != nil {
		return v.out, err
	}
	v.out.Settings = settings
	v.add(source.Findings)
	v.ownSettings()
	v.runners()
	v.masters()
	v.priority()
	if r.Base.Files != nil {
		v.out.Compared = true
		v.changelog()
	}
	v.out.Findings.Sort()
	return v.out, nil
}

// validator collects the findings of one validation.
type validator struct {
	request ValidateRequest
	out     Validation
	// seen has the index of every finding, so that one that two rules report
	// stands there once, with the graver severity.
	seen      map[string]int
	inventory *matrix.Inventory
	configs   *matrix.Masters
}

// add keeps findings that were not reported before.
func (v *validator) add(list diag.List) {
	for _, f := range v.out.Sources.Locate(list) {
		key := strings.Join(append([]string{f.Code, f.Place.String(), f.Path}, f.Args...), "\x00")
		at, known := v.seen[key]
		switch {
		case !known:
			v.seen[key] = len(v.out.Findings)
			v.out.Findings = append(v.out.Findings, f)
		case f.Severity < v.out.Findings[at].Severity:
			v.out.Findings[at].Severity = f.Severity
		}
	}
}

// ownSettings reads the settings file of the head, which is not in force yet
// but will be after the merge.
func (v *validator) ownSettings() {
	if v.request.Base.Files == nil && v.request.Preset == "" {
		return // read already
	}
	_, _, err := config.Detect(v.request.Head.Files)
	var list diag.List
	if errors.As(err, &list) {
		v.add(list)
	}
}

func (v *validator) runners() {
	inventory, list := matrix.ReadRunners(v.out.Settings, v.request.Head.Files)
	v.add(list)
	if !list.Refused() {
		v.inventory = inventory
		v.out.Labels = len(inventory.Labels)
	}
}

// masters validates the configs and expands them entry by entry, so that one
// bad entry hides no other.
func (v *validator) masters() {
	masters, list := matrix.ReadMasters(v.out.Settings, v.request.Head.Files, false)
	v.add(list)
	if masters == nil {
		return
	}
	v.out.Configs = len(masters.Configs)
	if !list.Refused() {
		v.configs = masters
	}
	if v.inventory == nil {
		return
	}
	refused := refusedConfigs(list)
	plan := &matrix.Plan{}
	base := &side{settings: v.out.Settings, files: v.request.Base.Files}
	generator := newExpander(v.out.Settings, v.inventory, v.request.Head.Files)
	for _, c := range masters.Configs {
		if refused[c.Place.File+"\x00"+c.Key] {
			continue // its parts may be missing
		}
		rows, list := expandParts(generator, c)
		v.add(base.known(c.Key, list))
		v.out.Rows += len(rows)
		fileRows(plan, rows)
	}
	v.buckets(plan)
}

// newExpander returns a generator over the files of a revision.
func newExpander(s config.Settings, inventory *matrix.Inventory, files matrix.Files) *matrix.Generator {
	if root, err := s.Layout.Root(files); err == nil && root != "" {
		files = belowRoot{files, root}
	}
	return matrix.NewGenerator(s.Matrix, inventory, files, s.Layout.Recipes)
}

// expandParts expands a config entry by entry.
func expandParts(generator *matrix.Generator, c *matrix.Config) (all []*matrix.Row, list diag.List) {
	for _, part := range parts(c) {
		rows, more := generator.Expand([]*matrix.Config{part}, matrix.Filter{})
		all, list = append(all, rows...), append(list, more...)
	}
	return all, list
}

// refusedConfigs are the configs that have an error, by file and key.
func refusedConfigs(list diag.List) map[string]bool {
	out := make(map[string]bool)
	for _, f := range list {
		if f.Severity == diag.Error {
			key, _, _ := strings.Cut(f.Path, ".scenarios.")
			out[f.File+"\x00"+key] = true
			out[f.File+"\x00"+f.Path] = true
		}
	}
	return out
}

// parts are copies of a config with one entry each.
func parts(c *matrix.Config) []*matrix.Config {
	var out []*matrix.Config
	for _, block := range c.FixedSeqLen {
		for _, e := range block.Entries {
			one := *block
			one.Entries = []*matrix.Entry{e}
			part := *c
			part.FixedSeqLen, part.Agentic = []*matrix.FixedSeq{&one}, nil
			out = append(out, &part)
		}
	}
	for _, block := range c.Agentic {
		for _, e := range block.Entries {
			one := *block
			one.Entries = []*matrix.Entry{e}
			part := *c
			part.FixedSeqLen, part.Agentic = nil, []*matrix.Agentic{&one}
			out = append(out, &part)
		}
	}
	if len(out) == 0 {
		out = append(out, c)
	}
	return out
}

// fileRows puts rows into the buckets of a plan.
func fileRows(p *matrix.Plan, rows []*matrix.Row) {
	for _, r := range rows {
		buckets := &p.SingleNode
		if r.Multinode() {
			buckets = &p.MultiNode
		}
		at := slices.IndexFunc(*buckets, func(b matrix.Bucket) bool { return b.Name == r.Bucket() })
		if at < 0 {
			at = len(*buckets)
			*buckets = append(*buckets, matrix.Bucket{Name: r.Bucket()})
		}
		(*buckets)[at].Rows = append((*buckets)[at].Rows, r)
	}
}

// buckets warns of rows that no job runs: a change that sweeps them would be
// refused, but no such change is at hand.
func (v *validator) buckets(p *matrix.Plan) {
	_, list := matrix.Families(p, v.out.Settings.Sweep)
	for _, f := range list {
		v.add(diag.List{f.WithSeverity(diag.Warning)})
	}
}

func (v *validator) priority() {
	_, list := ReadPriority(v.out.Settings, v.request.Head.Files)
	v.add(list)
}

// changelog judges the change as planning does, and goes on where planning
// would stop.
func (v *validator) changelog() {
	rules := matrix.ChangelogRules(v.out.Settings)
	layout := v.out.Settings.Layout
	modes := changelog.CheckMode(rules, modeOf(v.request.Base.Files, layout), modeOf(v.request.Head.Files, layout))
	if v.add(modes); modes.Refused() {
		return // what is no file cannot be read
	}
	base, baseList := readChangelog(v.request.Base.Files, layout)
	head, headList := readChangelog(v.request.Head.Files, layout)
	if list := append(baseList, headList...); list != nil {
		v.add(list)
		return
	}
	if head != nil && bytes.Equal(base, head) {
		return
	}
	change := changelog.Examine(rules, base, head, prOf(v.request.PR))
	v.add(change.Findings)
	v.out.Entries = len(change.Entries)
	v.keys(rules, change.Entries)
	if change.Findings.Refused() || v.configs == nil || v.inventory == nil {
		return
	}
	planned, err := PlanChange(PlanRequest{
		Change: matrix.Change{Base: v.request.Base, Head: v.request.Head}, Preset: v.request.Preset, PR: v.request.PR,
	})
	if err == nil {
		v.add(planned.Findings)
	}
}

// keys checks that every new entry selects configs. The keys of the base make
// the message better when one was removed.
func (v *validator) keys(rules changelog.Rules, entries []changelog.Entry) {
	if v.configs == nil {
		return
	}
	keys := changelog.Keys{Head: v.configs.Keys()}
	for _, e := range entries {
		_, list := changelog.Resolve(rules, e, keys)
		if list.Refused() && keys.Base == nil {
			if masters, refused := matrix.ReadMasters(v.out.Settings, v.request.Base.Files, false); !refused.Refused() {
				keys.Base = masters.Keys()
			}
			_, list = changelog.Resolve(rules, e, keys)
		}
		v.add(list)
	}
}

// prOf is the context of a pull request number, 0 for an unknown one.
func prOf(number int) changelog.PR {
	if number > 0 {
		return changelog.PR(number)
	}
	return changelog.Unnumbered
}

// readChangelog reads the changelog of a revision; nil when it has none.
func readChangelog(files matrix.Files, layout config.Layout) ([]byte, diag.List) {
	name, err := layout.Resolve(files, layout.Changelog)
	if err != nil {
		var absent diag.Finding
		if errors.As(err, &absent) && absent.Code == "config.no-file" {
			return nil, nil
		}
		return nil, diag.List{unreadable(layout.Changelog, err)}
	}
	data, err := files.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, diag.List{unreadable(name, err)}
	case data == nil:
		data = []byte{}
	}
	return data, nil
}

func unreadable(name string, err error) diag.Finding {
	if f, ok := gitrepo.AsFinding(err); ok {
		return f.In("unreadable")
	}
	return diag.New("plan.unreadable", diag.Place{File: name}, "detail", err.Error()).In("unreadable")
}

// modeOf is the git mode of the changelog, "" where it has none.
func modeOf(files matrix.Files, layout config.Layout) string {
	tree, ok := files.(interface {
		Stat(name string) (gitrepo.Entry, error)
	})
	if !ok {
		return ""
	}
	for _, root := range layout.Roots {
		if entry, err := tree.Stat(slashpath.Join(root, layout.Changelog)); err == nil {
			return entry.Mode.String()
		}
	}
	return ""
}

// belowRoot reads files below the project root of a revision.
type belowRoot struct {
	matrix.Files
	root string
}

// ReadFile reads a file by its path below the root.
func (b belowRoot) ReadFile(name string) ([]byte, error) {
	return b.Files.ReadFile(slashpath.Join(b.root, name))
}

// RenderValidation says in one line what was looked at and with what result.
func RenderValidation(v Validation, style TableStyle) string {
	result := style.say("cli.validate-clean")
	if len(v.Findings) > 0 {
		result = diag.Summary(v.Findings, style.Language)
	}
	args := []string{
		"configs", style.count("cli.config", "cli.configs", v.Configs), "rows", strconv.Itoa(v.Rows),
		"labels", style.count("cli.runner", "cli.runners", v.Labels),
		"entries", style.count("cli.entry", "cli.entries", v.Entries), "result", result,
	}
	if !v.Compared {
		return style.say("cli.validate-files", args...)
	}
	return style.say("cli.validate-change", args...)
}
