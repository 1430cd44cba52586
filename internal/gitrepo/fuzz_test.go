package gitrepo

import (
	"strings"
	"testing"
)

// A tree that is read says what its bytes say, and no other.
func FuzzParseTree(f *testing.F) {
	blob := strings.Repeat("\x01", 20)
	f.Add([]byte(""), false)
	f.Add([]byte("100644 a\x00"+blob+"40000 b\x00"+blob), false)
	f.Add([]byte("120000 \xff\x00"+blob+strings.Repeat("\x02", 12)), true)
	f.Add([]byte("100644 a\x00"+blob+"100644 a\x00"+blob), false)
	f.Add([]byte("100644 a"), false)
	f.Add([]byte("0 a\x00"+blob), false)
	f.Fuzz(func(t *testing.T, data []byte, long bool) {
		width := 20
		if long {
			width = 32
		}
		dir, err := parseTree(data, width)
		if err != nil {
			return
		}
		rest := data
		for i, e := range dir.entries {
			if found, ok := dir.find(e.Name); !ok || found != e {
				t.Fatalf("entry %d, %q, is not found", i, e.Name)
			}
			_, after, err := cutMode(rest)
			if err != nil {
				t.Fatal(err)
			}
			want := e.Name + "\x00" + string(unhex(e.OID))
			if !strings.HasPrefix(string(after), want) {
				t.Fatalf("entry %d is %q, not %+v", i, after, e)
			}
			rest = after[len(want):]
		}
		if len(rest) > 0 {
			t.Fatalf("%d bytes were passed over", len(rest))
		}
	})
}

// Whatever git writes, an answer is one of four things, and an id is an id.
func FuzzParseHeader(f *testing.F) {
	oid := strings.Repeat("a", 40)
	for _, line := range []string{
		oid + " blob 12", oid + " missing", "HEAD missing", "HEAD ambiguous", "", " ", oid + " tree -1",
		oid + " commit 99999999999999999999", strings.Repeat("b", 64) + " tag 0", oid + " blob  1", oid + " blob +1",
	} {
		f.Add(line, "HEAD")
		f.Add(line, oid)
	}
	f.Fuzz(func(t *testing.T, line, name string) {
		o, err := parseHeader(line, name)
		switch {
		case err != nil:
		case o.state == missing && line != name+" missing", o.state == ambiguous && line != name+" ambiguous":
			t.Fatalf("%q about %q is read as %+v", line, name, o)
		case o.state == present && (!isOID(o.oid) || !isKind(o.kind) || o.size < 0):
			t.Fatalf("%q is read as %+v", line, o)
		}
	})
}

// A commit that is read has well-formed ids and a time that JSON can hold.
func FuzzParseCommit(f *testing.F) {
	id := strings.Repeat("a", 40)
	head := "tree " + id + "\nparent " + id + "\n"
	f.Add(head + "author A <a@b> 1 +0100\ncommitter B <b> 2 -0930\n\nmessage\n\nmore")
	f.Add(head + "author <> 99999999999 +9999\ngpgsig x\n y\n\n")
	f.Add(head)
	f.Add("tree " + id + "\nauthor >< 1 2 3\n\n")
	f.Fuzz(func(t *testing.T, text string) {
		c, ok := parseCommit(id, text)
		if !ok {
			return
		}
		for _, oid := range append([]string{c.Tree}, c.Parents...) {
			if !isOID(oid) {
				t.Fatalf("%q is no id", oid)
			}
		}
		for _, s := range []Signature{c.Author, c.Committer} {
			if _, err := s.When.MarshalJSON(); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// A revision that passes is one line and no option.
func FuzzCheckRev(f *testing.F) {
	for _, rev := range []string{"HEAD", "-x", "a\nb", "a b", "HEAD^{/x}", "a..b", "refs/heads/ä", ":x", "\xff"} {
		f.Add(rev)
	}
	f.Fuzz(func(t *testing.T, rev string) {
		if checkRev(rev) != nil {
			return
		}
		if rev == "" || rev[0] == '-' || strings.ContainsAny(rev, "\n\r \x00:") || len(rev) > maxRev {
			t.Fatalf("%q passes", rev)
		}
	})
}
