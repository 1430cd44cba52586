package pareto

import (
	"errors"
	"fmt"
	"math/rand"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results/document"
)

func point(x, y float64) Point {
	p, _ := NewPoint(ordjson.Map(ordjson.Member{Name: "x", Value: document.Float(x)}, ordjson.Member{Name: "y", Value: document.Float(y)}))
	return p
}

func coordinates(points []Point) [][2]float64 {
	out := [][2]float64{}
	for _, p := range points {
		out = append(out, [2]float64{p.X, p.Y})
	}
	return out
}

// TestCheck14Example has the points of the example of check 14.
func TestCheck14Example(t *testing.T) {
	c := Curve{Key: "k"}
	for _, p := range [][2]float64{{1, 10}, {2, 30}, {2, 25}, {3, 30}, {4, 28}, {5, 41}, {6, 44}} {
		c.Points = append(c.Points, point(p[0], p[1]))
	}
	r := c.Frontier(false)
	want := [][2]float64{{1, 10}, {2, 30}, {3, 30}, {5, 41}, {6, 44}}
	if diff := cmp.Diff(want, coordinates(r.Frontier)); diff != "" || r.Status != Pass || r.Measured != 7 {
		t.Errorf("%s %s %d", diff, r.Status, r.Measured)
	}
}

func TestReadErrors(t *testing.T) {
	for text, want := range map[string]error{
		`[]`: ErrEmpty, `{}`: ErrEmpty, `null`: ErrEmpty,
		`[1]`: ErrNoObject, `[{"key":"a","points":[]},[]]`: ErrNoObject,
		`[{"points":[]}]`: ErrShape, `[{"key":" ","points":[]}]`: ErrShape, `[{"key":1,"points":[]}]`: ErrShape, `[{"key":"a"}]`: ErrShape, `[{"key":"a","points":{}}]`: ErrShape,
		`[{"key":"a","points":[]},{"key":"a","points":[]}]`: ErrDuplicate,
	} {
		if _, err := Read([]byte(text)); !errors.Is(err, want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	var broken *document.Error
	if _, err := Read([]byte("[")); !errors.As(err, &broken) {
		t.Error(err)
	}
}

func TestInvalidPoints(t *testing.T) {
	got, err := Read([]byte(`[{"key":"a","points":[{"x":1,"y":NaN},{"x":Infinity,"y":1},{"x":0,"y":1},{"x":1,"y":-1},{"x":true,"y":1},{"x":"1","y":1},{"y":1},1,null,{"x":2,"y":3,"isOnNormalizedInteractivityFrontier":1}]}]`))
	if err != nil {
		t.Fatal(err)
	}
	r := got[0]
	if r.Measured != 10 || r.Invalid != 9 || !r.Restricted || len(r.Frontier) != 0 || r.Status != Warn {
		t.Errorf("%+v", r)
	}
}

// TestFrontierProperties holds that the order of points does not matter, that a
// frontier is its own frontier, that each other point is dominated, and that
// dropping a point that is not kept changes nothing.
func TestFrontierProperties(t *testing.T) {
	coordinate := rapid.Custom(func(t *rapid.T) float64 { return float64(rapid.IntRange(1, 8).Draw(t, "n")) })
	rapid.Check(t, func(t *rapid.T) {
		var c Curve
		for i := range rapid.IntRange(0, 12).Draw(t, "points") {
			c.Points = append(c.Points, point(coordinate.Draw(t, fmt.Sprint("x", i)), coordinate.Draw(t, fmt.Sprint("y", i))))
		}
		want := coordinates(c.Frontier(false).Frontier)
		shuffled := Curve{Points: append([]Point(nil), c.Points...)}
		rand.New(rand.NewSource(int64(len(c.Points)))).Shuffle(len(shuffled.Points), func(i, j int) {
			shuffled.Points[i], shuffled.Points[j] = shuffled.Points[j], shuffled.Points[i]
		})
		if diff := cmp.Diff(want, coordinates(shuffled.Frontier(false).Frontier)); diff != "" {
			t.Fatalf("order matters: %s", diff)
		}
		kept := Curve{Points: c.Frontier(false).Frontier}
		if diff := cmp.Diff(want, coordinates(kept.Frontier(false).Frontier)); diff != "" {
			t.Fatalf("not its own frontier: %s", diff)
		}
		for _, p := range c.Points {
			covered := false
			for _, q := range kept.Points {
				covered = covered || q.X <= p.X && q.Y >= p.Y
			}
			if !covered {
				t.Fatalf("(%v, %v) is neither kept nor dominated", p.X, p.Y)
			}
		}
	})
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`[{"key":"a","points":[{"x":1,"y":2},{"x":2,"y":NaN}]}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := Read(data)
		if err != nil {
			return
		}
		for _, r := range got {
			if len(r.Frontier) > r.Measured-r.Invalid || r.Status == Pass && (r.Invalid > 0 || len(r.Frontier) < Recommended) {
				t.Fatalf("%+v", r)
			}
		}
	})
}
