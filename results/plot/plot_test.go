package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"image/png"
	"io"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "write the golden files")

// sample is a curve of nine points with an older one behind it.
func sample() Chart {
	marks := func(scale float64, values ...[2]float64) []Mark {
		var out []Mark
		for i, v := range values {
			out = append(out, Mark{X: v[0], Y: v[1] * scale, Kept: i != 8, Label: "c" + string(rune('1'+i)) + " 1P2D", Title: "point <" + string(rune('1'+i)) + ">", Link: "#p"})
		}
		return out
	}
	points := [][2]float64{{1.57, 3958}, {1.75, 6535}, {1.81, 10213}, {2.18, 24323}, {2.38, 31450}, {3.68, 38639}, {7.45, 44039}, {13.47, 45196}, {36.43, 40032}}
	return Chart{
		Title: "glm5.2 fp4 mi355x atom-disagg agentic", XLabel: "time to first token p90 (s)", YLabel: "tokens/s/GPU", Empty: "nothing",
		Series: []Series{{Name: "main <b>&", Marks: marks(0.8, points...)}, {Name: "this run", Color: 1, Marks: marks(1, points...)}},
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := "testdata/" + name
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, got) {
		t.Errorf("%s: %s", name, cmp.Diff(string(want), string(got)))
	}
}

func svg(t interface {
	Helper()
	Fatal(...any)
}, c Chart) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := c.WriteSVG(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// wellFormed reports whether a document is XML and holds nothing but shapes.
func wellFormed(t interface {
	Helper()
	Fatalf(string, ...any)
}, doc []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(doc))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%v in %s", err, doc)
		}
		if start, ok := token.(xml.StartElement); ok && !strings.Contains(" svg style rect text polyline circle a g title ", " "+start.Name.Local+" ") {
			t.Fatalf("the element %s", start.Name.Local)
		}
	}
}

func TestSVG(t *testing.T) {
	doc := svg(t, sample())
	wellFormed(t, doc)
	golden(t, "sample.svg", doc)
}

func TestPNG(t *testing.T) {
	var first, second bytes.Buffer
	for _, out := range []*bytes.Buffer{&first, &second} {
		if err := sample().WritePNG(out, false); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("two pictures of one chart differ")
	}
	img, err := png.Decode(&first)
	if err != nil {
		t.Fatal(err)
	}
	if size := img.Bounds().Size(); size.X != defaultWidth*pngScale || size.Y != defaultHeight*pngScale {
		t.Errorf("it is %v", size)
	}
	painted := 0
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			if r, g, b, _ := img.At(x, y).RGBA(); r+g+b < 3*0x8000 {
				painted++
			}
		}
	}
	if painted < 5000 {
		t.Errorf("%d dark pixels", painted)
	}
}

// TestGlyphs holds that every character that labels are made of has strokes
// within its cell.
func TestGlyphs(t *testing.T) {
	for r := rune(' '); r < 0x7f; r++ {
		text, ok := strokes[r]
		if !ok {
			if r != '`' {
				t.Errorf("%q has no strokes", r)
			}
			continue
		}
		for _, part := range strings.Split(text, ";") {
			if len(part)%2 != 0 {
				t.Errorf("%q: a point lacks a half in %q", r, part)
			}
		}
		for _, line := range glyph(r) {
			for _, p := range line {
				if p[0] < 0 || p[0] > 4 || p[1] < -2 || p[1] > 6 {
					t.Errorf("%q: %v is outside", r, p)
				}
			}
		}
	}
}

func TestAxis(t *testing.T) {
	for _, c := range []struct {
		values []float64
		log    bool
		want   string
	}{
		{[]float64{3, 9.3}, false, "0 2 4 6 8"},
		{[]float64{45196}, false, "0 10k 20k 30k 40k"},
		{[]float64{1.57, 36.43}, true, "2 5 10 20"},
		{[]float64{0.001, 0.0019}, true, "0 0.0005 0.001 0.0015"},
		{[]float64{1, 5000}, true, "1 10 100 1000"},
		{[]float64{2}, true, "0 0.5 1 1.5 2"},
	} {
		var got []string
		for _, tick := range newAxis(c.values, 5, c.log).ticks {
			got = append(got, short(tick))
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%v: %s, want %s", c.values, text, c.want)
		}
	}
}

// TestAnyChart holds that no value and no text breaks a picture, and that
// nothing is drawn outside of it.
func TestAnyChart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.OneOf(rapid.Float64(), rapid.Float64Range(1e-3, 1e5), rapid.SampledFrom([]float64{0, -1, math.NaN(), math.Inf(1), 1e-300, 1e300}))
		c := Chart{Title: rapid.String().Draw(t, "title"), XLabel: "x", YLabel: "y", Empty: "nothing", Width: rapid.SampledFrom([]int{0, 340}).Draw(t, "width")}
		for range rapid.IntRange(0, 2).Draw(t, "series") {
			s := Series{Name: rapid.String().Draw(t, "name"), Color: rapid.IntRange(0, 1).Draw(t, "color")}
			for range rapid.IntRange(0, 12).Draw(t, "marks") {
				s.Marks = append(s.Marks, Mark{
					X: number.Draw(t, "x"), Y: number.Draw(t, "y"), Kept: rapid.Bool().Draw(t, "kept"),
					Label: rapid.String().Draw(t, "label"), Title: rapid.String().Draw(t, "story"), Link: rapid.String().Draw(t, "link"),
				})
			}
			c.Series = append(c.Series, s)
		}
		doc := svg(t, c)
		if bytes.Contains(doc, []byte("NaN")) && !strings.Contains(c.Title, "NaN") {
			t.Fatalf("NaN in %s", doc)
		}
		wellFormed(t, doc)
	})
}
