package shell

import (
	"regexp"
	"strconv"
	"sync"
	"testing"
)

// Expressions are built once, refused ones too, and their number is bounded.
func TestCacheKeepsExpressions(t *testing.T) {
	var c Cache
	built := 0
	build := func(expr string) *regexp.Regexp {
		if built++; expr == "(" {
			return nil
		}
		return regexp.MustCompile(expr)
	}
	for range 3 {
		if c.expression("a+", build) == nil || c.expression("(", build) != nil {
			t.Fatal("wrong expressions")
		}
	}
	if built != 2 {
		t.Errorf("built %d times, want 2", built)
	}
	for i := range 2 * maxExpressions {
		c.expression(strconv.Itoa(i), build)
	}
	if len(c.expressions) > maxExpressions {
		t.Errorf("%d expressions are kept", len(c.expressions))
	}
	if none := (*Cache)(nil); none.expression("b", build) == nil {
		t.Error("without a cache nothing is built")
	}
}

// A content is known by where it lies and, elsewhere, by its bytes; from many
// rows at once.
func TestCacheKnowsContents(t *testing.T) {
	var c Cache
	first, copied, other := []byte("echo a\n"), []byte("echo a\n"), []byte("echo b\n")
	want := &source{}
	c.keep(first, want)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 100 {
				for _, content := range [][]byte{first, copied} {
					if got, ok := c.lookup(content); !ok || got != want {
						t.Error("a known content is not found")
					}
				}
				if _, ok := c.lookup(other); ok {
					t.Error("an unknown content is found")
				}
				if _, ok := c.lookup(nil); ok {
					t.Error("no content is found")
				}
			}
		})
	}
	wg.Wait()
}
