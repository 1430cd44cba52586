package pattern

import "testing"

func TestLazy(t *testing.T) {
	p := Lazy(`^a+$`)
	if first, second := p(), p(); first != second {
		t.Error("compiled twice")
	}
	if !p().MatchString("aa") || p().MatchString("b") {
		t.Error("does not match as written")
	}
}
