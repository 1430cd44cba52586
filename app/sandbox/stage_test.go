package sandbox

import (
	"context"
	"os"
	"testing"
)

func TestCloseLeavesNoFolder(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	s, err := Start(context.Background(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	openPR(t, s, "walt-write", "feat", true) // a fork is a repository too
	ok(t, s.DeleteFork("walt-write"))
	ok(t, s.Close())
	for _, o := range []Options{{Listen: "192.0.2.1:80"}, {Repository: "no-owner"}} {
		if _, err := Start(context.Background(), o); err == nil {
			t.Errorf("%+v starts", o)
		}
	}
	if left := must(os.ReadDir(os.TempDir()))(t); len(left) != 0 {
		t.Errorf("%v is left", left)
	}
}

func TestRepositoryOfAnotherOwner(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	ok(t, s.AddRepository("tools/sweepbot", map[string]string{"action.yml": "name: x\n"}))
	if s.AddRepository("tools/sweepbot", nil) == nil {
		t.Error("made twice")
	}
	tip := s.TipOf("tools/sweepbot", "main")
	as(t, s, "").get("/repos/tools/sweepbot").is(200).has("owner.login", "tools", "owner.type", "Organization")
	as(t, s, "").get("/repos/tools/sweepbot/commits/main").is(200).has("sha", tip)
	if s.TipOf("tools/other", "main") != "" {
		t.Error("a repository that is not there has a commit")
	}
}

func TestTokenForEnginesThatKnowOne(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	n := openPR(t, s, "walt-write", "feat", false)
	ok(t, s.As("walt-write").AddLabel(t.Context(), n, "full-sweep-enabled"))
	run, found := s.Run(s.Runs()[0].ID)
	if !found {
		t.Fatal("no run")
	}
	reader := api{t, s, run.Token(map[string]string{"pull-requests": "read"})}
	reader.get("pulls/1").is(200)
	reader.do("POST", "issues/1/comments", words{"hi"}).is(403)
	run.Finish()
	reader.get("pulls/1").is(401)
}
