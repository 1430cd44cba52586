package launch

import (
	"path"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/recipe"
	"github.com/sweepbot/sweepbot/recipe/shell"
)

// checkout is another repository that a script has cloned.
type checkout struct {
	dir     string // absolute
	address string
	ref     string
}

// copied is a folder or file of the repository that a script has copied.
type copied struct{ from, to string } // absolute

// edit is a change of a file that a script makes with sed.
type edit struct {
	name   string // absolute; a folder when below is set
	below  bool
	script []shell.Value // the words of sed but its file
	at     shell.Origin
}

// checkedOut is another repository at what was checked out, opened once.
type checkedOut struct {
	files *files
	ok    bool
}

// absolute resolves a word as a path in the directory of a command.
func absolute(c *shell.Command, word shell.Value) string {
	text := known(word)
	if text == "" {
		return ""
	}
	if path.IsAbs(text) {
		return path.Clean(text)
	}
	dir := known(c.Dir)
	if dir == "" {
		return ""
	}
	return path.Join(dir, text)
}

// git notes clones and what is checked out of them.
func (v *visit) git(c *shell.Command, argv []shell.Value) {
	dir := v.text(c.Dir).String()
	words := argv[1:]
	for len(words) > 1 && begins(words[0], "-") {
		if known(words[0]) == "-C" {
			dir = absolute(c, words[1])
			words = words[1:]
		}
		words = words[1:]
	}
	if len(words) == 0 {
		return
	}
	switch known(words[0]) {
	case "clone":
		v.clone(c, words[1:])
	case "checkout", "switch", "reset":
		for i := range v.checkouts {
			if v.checkouts[i].dir == dir {
				if ref := revision(words[1:]); ref != "" {
					v.checkouts[i].ref = ref
				}
			}
		}
	case "apply", "am":
		v.effective.Patches = append(v.effective.Patches, recipe.Step{Words: v.texts(argv), Place: v.place(c.Origin)})
	}
}

// revision is the first word that is no option.
func revision(words []shell.Value) string {
	for _, w := range words {
		if !begins(w, "-") {
			return known(w)
		}
	}
	return ""
}

func (v *visit) clone(c *shell.Command, words []shell.Value) {
	var out checkout
	var plain []shell.Value
	for i := 0; i < len(words); i++ {
		option, value, assigned := cut(words[i], "=")
		switch name := known(option); {
		case name == "--branch" || name == "-b":
			if !assigned && i+1 < len(words) {
				i++
				value = words[i]
			}
			out.ref = known(value)
		case name == "--depth" || name == "--reference" || name == "-o" || name == "--origin" || name == "-c":
			if !assigned {
				i++
			}
		case strings.HasPrefix(name, "-"):
		default:
			plain = append(plain, words[i])
		}
	}
	if len(plain) == 0 {
		return
	}
	out.address = known(plain[0])
	folder := shell.Text(strings.TrimSuffix(path.Base(out.address), ".git"), shell.Origin{})
	if len(plain) > 1 {
		folder = plain[1]
	}
	// A folder whose name is not known is still the one that the script then
	// works in.
	out.dir = v.located(c, folder)
	v.checkouts = append(v.checkouts, out)
}

// copy notes what is copied out of the repository.
func (v *visit) copy(c *shell.Command, argv []shell.Value) {
	var plain []shell.Value
	into := false
	for i := 1; i < len(argv); i++ {
		switch word := known(argv[i]); {
		case word == "-t" && i+1 < len(argv):
			i++
		case begins(argv[i], "-"):
			into = into || strings.Contains(word, "T")
		default:
			plain = append(plain, argv[i])
		}
	}
	if len(plain) != 2 {
		return
	}
	from, to := v.located(c, plain[0]), v.located(c, plain[1])
	if from == "" || to == "" {
		return
	}
	if !into && !strings.HasSuffix(known(plain[0]), "/.") && path.Ext(from) == "" {
		if _, isDir := v.r.files.List(strings.TrimPrefix(strings.TrimPrefix(from, Workspace), "/")); isDir && strings.HasSuffix(known(plain[1]), "/") {
			to = path.Join(to, path.Base(from))
		}
	}
	v.copies = append(v.copies, copied{from: strings.TrimSuffix(from, "/."), to: to})
}

// located is the absolute path of a word; a directory that is not known is
// told apart by how it is written.
func (v *visit) located(c *shell.Command, word shell.Value) string {
	if full := absolute(c, word); full != "" {
		return full
	}
	name := v.text(word).String()
	segs := word.Segments()
	if len(segs) > 0 && segs[0].Unknown == nil && !path.IsAbs(name) {
		return path.Join(v.text(c.Dir).String(), name)
	}
	return name
}

// sed notes edits of files: sed -i, and find -exec sed -i.
func (v *visit) sed(c *shell.Command, argv []shell.Value) {
	if path.Base(known(argv[0])) == "find" {
		for i := range argv {
			if known(argv[i]) == "-exec" && i+2 < len(argv) && path.Base(known(argv[i+1])) == "sed" && len(argv) > 1 {
				end := i + 2
				for end < len(argv) && known(argv[end]) != "{}" {
					end++
				}
				v.edits = append(v.edits, edit{name: v.located(c, argv[1]), below: true, script: argv[i+1 : end], at: c.Origin})
			}
		}
		return
	}
	inPlace := false
	for _, a := range argv[1:] {
		word := known(a)
		inPlace = inPlace || strings.HasPrefix(word, "-i") || strings.HasPrefix(word, "--in-place") || len(word) > 2 && word[0] == '-' && word[1] != '-' && strings.HasSuffix(word, "i")
	}
	if !inPlace || len(argv) < 3 {
		return
	}
	target := v.located(c, argv[len(argv)-1])
	v.edits = append(v.edits, edit{name: target, script: argv[:len(argv)-1], at: c.Origin})
	if _, ours := repositoryPath(v.mounts, target); !ours {
		v.effective.Patches = append(v.effective.Patches, recipe.Step{Words: v.texts(argv), Place: v.place(c.Origin)})
	}
}

// content returns the file behind an absolute path that a script refers to:
// copied from the repository, part of a checkout, or in the repository itself.
// name is how its places are to be shown.
func (v *visit) content(full string, at diag.Place) (data []byte, name string, ok bool) {
	for i := len(v.copies) - 1; i >= 0; i-- {
		c := v.copies[i]
		rest, below := strings.CutPrefix(full, c.to)
		if !below || rest != "" && rest[0] != '/' {
			continue
		}
		if repo, ours := repositoryPath(v.mounts, c.from+rest); ours {
			if data, found := v.read(repo); found {
				return data, repo, true
			}
		}
	}
	for i := len(v.checkouts) - 1; i >= 0; i-- {
		c := v.checkouts[i]
		if rest, below := strings.CutPrefix(full, c.dir+"/"); below {
			return v.external(c, rest, at)
		}
	}
	if repo, ours := repositoryPath(v.mounts, full); ours {
		if data, found := v.read(repo); found {
			return data, repo, true
		}
	}
	v.ask("recipe.file-missing", at, "file", full)
	return nil, "", false
}

// read reads a repository file into the closure.
func (v *visit) read(name string) ([]byte, bool) {
	data, ok, err := v.r.files.ReadFile(name)
	if err != nil {
		v.ask("recipe.unreadable", diag.Place{File: name}, "file", name, "detail", err.Error())
		return nil, false
	}
	v.closure(name, !ok)
	return data, ok
}

// external reads a file of another repository.
func (v *visit) external(c checkout, name string, at diag.Place) ([]byte, string, bool) {
	v.files[recipe.File{Path: name, Repository: c.address, Ref: c.ref}] = true
	shown := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(c.address, "https://"), "github.com/"), ".git")
	if c.ref != "" {
		shown += "@" + c.ref
	}
	repo := v.r.open(c)
	if repo.ok {
		if data, ok, _ := repo.files.ReadFile(name); ok {
			return data, shown + ":" + name, true
		}
	}
	if data, own, ok := v.own(name); ok {
		v.remark("recipe.not-staged", at, "file", own, "repository", shown)
		return data, own, true
	}
	code := "recipe.external"
	if repo.ok {
		code = "recipe.external-missing"
	}
	v.ask(code, at, "file", name, "repository", shown)
	return nil, "", false
}

// own is the repository's file of a recipe that a launcher does not copy into
// its checkout: recipes/<rest> is kept at <rest> of the folder of multi-node
// recipes (spec/checks.md section 1.7, recipe file of an Aug row).
func (v *visit) own(name string) (data []byte, at string, ok bool) {
	rest, below := strings.CutPrefix(name, "recipes/")
	folder := v.r.settings.Layout.Recipes.MultiNode
	if !below || folder == "" || strings.Contains(folder, "{") {
		return nil, "", false
	}
	at = path.Join(v.r.project, folder, rest)
	data, ok = v.read(at)
	return data, at, ok
}

// open returns another repository at what was checked out of it.
func (r *Resolver) open(c checkout) *checkedOut {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := c.address + "\x00" + c.ref
	got := r.repos[key]
	if got == nil {
		got = &checkedOut{}
		if r.checkouts != nil {
			if tree, ok := r.checkouts.Checkout(c.address, c.ref); ok {
				got.files, got.ok = newFiles(tree), true
			}
		}
		r.repos[key] = got
	}
	return got
}
