package checks

import (
	"bytes"
	"context"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/internal/gitrepo"
)

// code judges changed files that the interpretation of the points did not
// read: programs that run beside the server, records of clusters, the code
// that makes results (spec/checks.md, check 1 step 6).
func (p *pair) code(ctx context.Context, changes []gitrepo.Change) error {
	for _, change := range changes {
		name, role := change.Path, p.s.e.Role(change.Path)
		switch {
		case p.closure[name] && interpreted(name): // judged with the points
		case p.closure[name]:
			p.program(name)
		case idle(name):
			p.out.others = append(p.out.others, name)
		case role == RoleRunners:
			if p.sameClusters() {
				p.out.others = append(p.out.others, name)
			} else {
				p.out.files = append(p.out.files, name)
			}
		case role == RoleResult:
			p.out.results = append(p.out.results, name)
			if p.s.e.Settings.Checks.ResultCodeMaterial && !p.sameCode(name) {
				p.out.files = append(p.out.files, name)
			}
		case !p.runs(name, role):
			p.out.others = append(p.out.others, name)
		default:
			p.program(name)
		}
	}
	return ctx.Err()
}

// interpreted reports whether a file that a point reads was understood, so that
// a difference would show in what is served. Programs and patches are not.
func interpreted(name string) bool {
	switch path.Ext(name) {
	case ".sh", ".bash", ".yaml", ".yml", ".json", ".env", "":
		return true
	}
	return false
}

// program judges a program or a patch that the points are known to run.
func (p *pair) program(name string) {
	p.out.harmless = slices.DeleteFunc(p.out.harmless, func(other string) bool { return other == name })
	if p.sameCode(name) {
		p.out.harmless = append(p.out.harmless, name)
	} else {
		p.out.files = append(p.out.files, name)
	}
}

// sameClusters reports whether the records of the clusters that the points run
// on are alike.
func (p *pair) sameClusters() bool {
	a, b := p.then.inventory, p.now.inventory
	if a == nil || b == nil {
		return false
	}
	for _, row := range p.running {
		one, _ := a.Nodes(row.Runner)
		two, _ := b.Nodes(row.Runner)
		if !slices.Equal(one, two) || !reflect.DeepEqual(a.Facts[row.Runner], b.Facts[row.Runner]) {
			return false
		}
	}
	return true
}

// runs reports whether the points may run a file that they were not seen to
// read: a file of the launcher, client or evals that is named by one that they
// read or lies beside such a one, and everything of the launcher's packages.
func (p *pair) runs(name string, role Role) bool {
	switch role {
	case RoleLaunch, RoleClient, RoleSetup, RoleShared:
	case RoleEval:
		if !slices.ContainsFunc(p.is.rows, isEvalRow) {
			return false
		}
	default:
		return false
	}
	rest := p.s.e.inProject(name)
	switch {
	case !p.kind(rest):
		return false
	case strings.HasPrefix(rest, "infx/clusters/"):
		return p.ofCluster(strings.TrimSuffix(path.Base(rest), path.Ext(rest)))
	case role == RoleEval, strings.HasPrefix(rest, "infx/"), strings.HasPrefix(rest, "runners/srt-slurm/"), strings.HasPrefix(rest, "utils/"), role == RoleShared:
		return true
	}
	return p.named(path.Base(name)) || p.beside(name)
}

// kind says whether a program of one kind of load concerns any point at all.
func (p *pair) kind(rest string) bool {
	agentic, fixed := false, false
	for _, row := range p.running {
		agentic, fixed = agentic || row.Agentic(), fixed || !row.Agentic()
	}
	switch {
	case strings.Contains(rest, "agentic"), strings.HasPrefix(rest, "utils/aiperf"):
		return agentic
	case strings.Contains(rest, "bench_serving"), strings.Contains(rest, "fixed_sequence"):
		return fixed
	}
	return true
}

// ofCluster reports whether a record may be that of a cluster of the points.
func (p *pair) ofCluster(name string) bool {
	for _, row := range p.running {
		label := strings.TrimPrefix(row.Runner, "cluster:")
		if strings.HasPrefix(label, name) || strings.HasPrefix(name, label) || strings.HasPrefix(name, "_") {
			return true
		}
	}
	return false
}

// named reports whether a file that the points read names another, comments
// aside.
func (p *pair) named(base string) bool {
	for file := range p.closure {
		if text, _ := textAt(p.now.Tree, file); strings.Contains(withoutComments(file, text), base) {
			return true
		}
	}
	return false
}

// beside reports whether the points read something in the folder of a file.
// Launchers of all machines lie in one folder.
func (p *pair) beside(name string) bool {
	folder := path.Dir(name)
	if base := path.Base(folder); base == "runners" || base == "benchmarks" {
		return false
	}
	for file := range p.closure {
		if path.Dir(file) == folder {
			return true
		}
	}
	return false
}

// inProject is a path below the root of the layout that it is under.
func (e *Evidence) inProject(name string) string {
	for _, root := range e.Settings.Layout.Roots {
		if rest, ok := strings.CutPrefix(name, root+"/"); ok && root != "" {
			return rest
		}
	}
	return name
}

// sameCode reports whether a file is the same at both sides but for comments.
func (p *pair) sameCode(name string) bool {
	a, okA := textAt(p.then.Tree, name)
	b, okB := textAt(p.now.Tree, name)
	return okA && okB && withoutComments(name, a) == withoutComments(name, b)
}

// withoutComments is what a program says: without lines that hold nothing but a
// comment, and of Python without any comment. Files of other kinds are as they
// are.
func withoutComments(name, text string) string {
	switch path.Ext(name) {
	case ".py":
		return pythonCode(text)
	case ".sh", ".yaml", ".yml":
	default:
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n")
		bare := strings.TrimLeft(line, " \t")
		// A directive such as #SBATCH and a first line are no comments.
		if bare == "" || bare == "#" || strings.HasPrefix(bare, "# ") || strings.HasPrefix(bare, "##") {
			continue
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// pythonCode is a Python program without its comments and without lines that
// hold nothing else; a number sign or an empty line in a string is none.
func pythonCode(text string) string {
	var out []byte
	line := 0 // where the current line begins in out
	for i := 0; i < len(text); {
		switch c := text[i]; c {
		case '#':
			end := strings.IndexByte(text[i:], '\n')
			if end < 0 {
				end = len(text) - i
			}
			i += end
		case '"', '\'':
			end := i + stringEnd(text[i:])
			out = append(out, text[i:end]...)
			i = end
		case '\n':
			out = append(out[:line], bytes.TrimRight(out[line:], " \t\r")...)
			if len(out) > line {
				out = append(out, '\n')
			}
			line = len(out)
			i++
		default:
			out = append(out, c)
			i++
		}
	}
	return string(bytes.TrimRight(out, " \t\r\n"))
}

// stringEnd is the length of the Python string that a text begins with.
func stringEnd(text string) int {
	quote := text[:1]
	if strings.HasPrefix(text, strings.Repeat(quote, 3)) {
		quote = text[:3]
	}
	for i := len(quote); i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case strings.HasPrefix(text[i:], quote):
			return i + len(quote)
		case text[i] == '\n' && len(quote) == 1:
			return i
		}
	}
	return len(text)
}
