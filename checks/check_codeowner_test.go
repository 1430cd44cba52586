package checks

import (
	"testing"

	"github.com/sweepbot/sweepbot/config"
)

const ownersFile = `# who owns what
* @acme/core

configs/amd-master.yaml @ada @bo
configs/nvidia-master.yaml @Nia @acme/core # the second
runners/srt-slurm/patches/ @carl @acme/core
docs/free
[broken line @x
mail.txt mail@example.com
`

// TestCodeOwner has the examples of spec/checks.md, check 0, and the causes C1
// to C4 of spec/verdict-causes.md.
func TestCodeOwner(t *testing.T) {
	core := func(m Membership) givenSource { return givenSource{teams: map[string]Membership{"acme/core": m}} }
	for name, c := range map[string]struct {
		files       []string
		signer      string
		association string
		source      givenSource
		want        string
	}{
		"owner by name": {
			[]string{"configs/amd-master.yaml", "perf-changelog.yaml"}, "ada", "CONTRIBUTOR", core(Unreadable),
			"PASS — @ada is a named owner of `configs/amd-master.yaml`; 1 other path falls to the catch-all.",
		},
		"C3 letter case": {
			[]string{"configs/nvidia-master.yaml"}, "nIA", "CONTRIBUTOR", core(Unreadable),
			"PASS — @nIA is a named owner of `configs/nvidia-master.yaml`.",
		},
		"C4 specific line with an unreadable team": {
			[]string{"configs/nvidia-master.yaml"}, "ada", "CONTRIBUTOR", core(Unreadable),
			"PASS — @ada is a named CODEOWNER; `configs/nvidia-master.yaml` is owned by @Nia and @acme/core; team membership could not be read.",
		},
		"owner of something else": {
			[]string{"configs/amd-master.yaml"}, "nia", "MEMBER", core(Member),
			"FAIL — @nia is not an owner of `configs/amd-master.yaml` (owners: @ada, @bo).",
		},
		"nobody": {
			[]string{"docs/x.md"}, "zoe", "CONTRIBUTOR", core(Unreadable),
			"FAIL — @zoe is not listed in CODEOWNERS and is not a member of the organisation.",
		},
		"C1 a bot": {
			[]string{"docs/x.md"}, "sweepbot[bot]", "NONE", core(NotMember),
			"FAIL — @sweepbot[bot] is not listed in CODEOWNERS and is not a member of the organisation.",
		},
		"member of the organisation, catch-all only": {
			[]string{"README.md"}, "max", "MEMBER", core(Unreadable),
			"PASS — all changed paths fall to the catch-all and @max is an organisation member.",
		},
		"C2 catch-all only, owner of another line": {
			[]string{"README.md", "x/y"}, "bo", "CONTRIBUTOR", core(NotMember),
			"PASS — @bo is a named CODEOWNER; all changed paths fall to the catch-all.",
		},
		"member of the organisation, unreadable team": {
			[]string{"configs/nvidia-master.yaml"}, "tim", "MEMBER", core(Unreadable),
			"PASS — @tim is an organisation member; `configs/nvidia-master.yaml` is owned by @Nia and @acme/core; team membership could not be read.",
		},
		"member of the organisation, users only": {
			[]string{"configs/amd-master.yaml"}, "tim", "MEMBER", core(Unreadable),
			"FAIL — @tim is not an owner of `configs/amd-master.yaml` (owners: @ada, @bo).",
		},
		"member by team": {
			[]string{"configs/nvidia-master.yaml"}, "tim", "NONE", core(Member),
			"PASS — @tim is a member of a team that owns `configs/nvidia-master.yaml`.",
		},
		"not a member, read": {
			[]string{"configs/nvidia-master.yaml"}, "ada", "MEMBER", core(NotMember),
			"FAIL — @ada is not an owner of `configs/nvidia-master.yaml` (owners: @Nia, @acme/core).",
		},
		"folder": {
			[]string{"runners/srt-slurm/patches/a/604.patch"}, "carl", "NONE", core(NotMember),
			"PASS — @carl is a named owner of `runners/srt-slurm/patches/a/604.patch`.",
		},
		"unowned path": {
			[]string{"docs/free"}, "ada", "NONE", core(NotMember),
			"PASS — @ada is a named CODEOWNER; no changed path has an owner.",
		},
		"memberships not given, association unknown": {
			[]string{"docs/x.md"}, "zoe", "", givenSource{},
			"UNAVAILABLE — whether @zoe is a member of @acme/core was not given",
		},
		"memberships not given, a path of users": {
			[]string{"configs/amd-master.yaml"}, "zoe", "", givenSource{},
			"FAIL — @zoe is not an owner of `configs/amd-master.yaml` (owners: @ada, @bo).",
		},
		"unreadable, association unknown": {
			[]string{"docs/x.md"}, "zoe", "", core(Unreadable),
			"WARN — needs human review: whether @zoe is a member of @acme/core could not be read",
		},
		"two paths of others": {
			[]string{"configs/amd-master.yaml", "mail.txt"}, "nia", "NONE", core(NotMember),
			"FAIL — @nia is not an owner of `configs/amd-master.yaml` (owners: @ada, @bo), nor of 1 other path with an owner line of its own.",
		},
		"no signer":  {[]string{"x"}, "", "", givenSource{}, "UNAVAILABLE — no signer was given"},
		"no changes": {nil, "ada", "", givenSource{}, "N/A — no file is changed"},
	} {
		head := make(map[string]string)
		for _, file := range c.files {
			head[file] = "x"
		}
		s := situation{
			base: map[string]string{".github/CODEOWNERS": ownersFile}, head: head, source: c.source, signer: c.signer, association: c.association,
		}
		r := s.decide(t, CodeOwner())
		if got := row(r); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
		if r.Status == Pass && c.files[0] != "README.md" && c.files[0] != "docs/free" && len(r.Citations) == 0 {
			t.Errorf("%s: a pass without a citation", name)
		}
	}
}

func TestCodeOwnerSettings(t *testing.T) {
	s := situation{
		base: map[string]string{"CODEOWNERS": ownersFile}, head: map[string]string{"configs/nvidia-master.yaml": "x"}, signer: "tim", association: "MEMBER",
		source: givenSource{teams: map[string]Membership{"acme/core": Unreadable}},
	}
	s.settings = func(c *config.Settings) { c.Checks.UnreadableOwners = config.OwnersFail }
	if r := s.decide(t, CodeOwner()); r.Status != Fail {
		t.Errorf("strict owners: %s", row(r))
	}
	s.settings = func(c *config.Settings) { c.Checks.Teams = []string{"@Acme/Core:Tim"} }
	if r := s.decide(t, CodeOwner()); r.Reason != "@tim is a member of a team that owns `configs/nvidia-master.yaml`." {
		t.Errorf("listed member: %s", row(r))
	}
	s.settings, s.base = nil, nil
	if r := s.decide(t, CodeOwner()); r.Status != Warn || r.Reason != "needs human review: the target branch has no CODEOWNERS file" {
		t.Errorf("no file: %s", row(r))
	}
	s.settings = func(c *config.Settings) { c.Checks.Undecidable = config.UndecidableStrict }
	if r := s.decide(t, CodeOwner()); r.Status != Fail {
		t.Errorf("no file, strict: %s", row(r))
	}
}

// TestOwnersPatterns has the rules of patterns; on "/" the library would panic.
func TestOwnersPatterns(t *testing.T) {
	for _, c := range []struct {
		pattern, path string
		want          bool
	}{
		{"/", "a/b", true},
		{"*", "a/b", true},
		{"/a", "a", true},
		{"/a", "b/a", false},
		{"a/", "x/a/b", true},
		{"a/b", "a/b", true},
		{"a/b", "x/a/b", false},
		{"*.yaml", "x/y.yaml", true},
		{"a/*.yaml", "a/b/c.yaml", false},
		{"a/**/c.yaml", "a/b/d/c.yaml", true},
		{"/a/", "a/b", true},
		{"a", "x/a/y", true},
	} {
		o := ParseOwners([]byte(c.pattern + " @ada\n"))
		if _, got := o.For(c.path); got != c.want {
			t.Errorf("%q matches %q: %v, want %v", c.pattern, c.path, got, c.want)
		}
	}
}

func FuzzOwners(f *testing.F) {
	f.Add([]byte(ownersFile), "configs/amd-master.yaml")
	f.Add([]byte("/ @a\n/** @b\n\\"), "a")
	f.Fuzz(func(t *testing.T, data []byte, path string) {
		o := ParseOwners(data)
		if line, ok := o.For(path); ok && line.Line == 0 {
			t.Fatal("a rule without a line")
		}
	})
}
