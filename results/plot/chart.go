package plot

import "slices"

// Chart is one picture.
type Chart struct {
	Title  string
	XLabel string
	YLabel string
	// Series are drawn in order; the last one lies on top. Color 0 is the older,
	// 1 the newer one.
	Series []Series
	// Width and Height are in pixels of the SVG; 0 is 720 by 420.
	Width, Height int
	// Empty is what is said instead of a plot without points.
	Empty string
}

// Series is a named set of points.
type Series struct {
	Name  string
	Color int
	Marks []Mark
}

// Mark is one point. Kept points are on the frontier: they are joined, filled
// and labelled.
type Mark struct {
	X, Y float64
	Kept bool
	// Label is short ("c16"), Title is the whole story, shown when the point is
	// pointed at.
	Label, Title string
	// Link is an address that the point leads to, "#id" within a page; only the
	// SVG uses it.
	Link string
}

// The values that are drawn; beyond them nothing is a measurement.
const (
	smallestShown = 1e-6
	largestShown  = 1e12
)

func (m Mark) usable() bool {
	shown := func(v float64) bool { return v >= smallestShown && v <= largestShown }
	return shown(m.X) && shown(m.Y)
}

const (
	defaultWidth  = 720
	defaultHeight = 420
	fontSize      = 11
	titleSize     = 14
	glyphWidth    = 6.1 // of a character at fontSize, on average
	markRadius    = 4.5
)

// role says what a shape stands for; renderers give it its colour.
type role int

const (
	roleInk role = iota
	roleMuted
	roleGrid
	roleOld
	roleNew
)

// shape is one thing to draw: a polyline, a circle or a text.
type shape struct {
	role   role
	points [][2]float64 // of a polyline
	width  float64
	dashed bool
	mark   *Mark // a circle, at points[0]
	square bool
	text   string
	size   float64
	anchor int // -1 start, 0 middle, 1 end
	turned bool
	bold   bool
}

// frame maps values to pixels.
type frame struct {
	left, right, top, bottom float64
	x, y                     axis
}

func (f frame) at(x, y float64) [2]float64 {
	return [2]float64{
		f.left + f.x.share(x)*(f.right-f.left),
		f.bottom - f.y.share(y)*(f.bottom-f.top),
	}
}

// layout turns the chart into shapes, from back to front.
func (c Chart) layout() (width, height int, shapes []shape) {
	width, height = c.Width, c.Height
	if width == 0 {
		width = defaultWidth
	}
	if height == 0 {
		height = defaultHeight
	}
	l := layouter{chart: c, width: float64(width)}
	l.frame = frame{left: 62, right: float64(width) - 18, top: 58, bottom: float64(height) - 46}
	l.title()
	all := l.usable()
	if len(all) == 0 {
		l.add(shape{role: roleMuted, text: c.Empty, size: fontSize + 1, points: [][2]float64{{float64(width) / 2, float64(height) / 2}}})
		return width, height, l.shapes
	}
	l.frame.x = newAxis(valuesOf(all, func(m Mark) float64 { return m.X }), max(3, int(l.width/110)), true)
	l.frame.y = newAxis(valuesOf(all, func(m Mark) float64 { return m.Y }), 6, false)
	l.axes()
	for _, s := range c.Series {
		l.frontier(s)
	}
	for _, s := range c.Series {
		l.marks(s)
	}
	if len(c.Series) > 0 {
		l.labels(c.Series[len(c.Series)-1])
	}
	return width, height, l.shapes
}

type layouter struct {
	chart  Chart
	width  float64
	frame  frame
	shapes []shape
	// taken are marks and labels, lines the parts of the frontiers.
	taken, lines []box
}

func (l *layouter) add(s shape) { l.shapes = append(l.shapes, s) }

func (l *layouter) usable() []Mark {
	var out []Mark
	for _, s := range l.chart.Series {
		for _, m := range s.Marks {
			if m.usable() {
				out = append(out, m)
			}
		}
	}
	return out
}

func valuesOf(marks []Mark, of func(Mark) float64) []float64 {
	out := make([]float64, len(marks))
	for i, m := range marks {
		out[i] = of(m)
	}
	return out
}

// title writes the heading and below it the legend.
func (l *layouter) title() {
	room := int((l.width - 24) / (glyphWidth * titleSize / fontSize))
	l.add(shape{role: roleInk, text: cut(l.chart.Title, room), size: titleSize, anchor: -1, bold: true, points: [][2]float64{{12, 22}}})
	x := 12.0
	for _, s := range slices.Backward(l.chart.Series) {
		name := cut(s.Name, int((l.width-40)/2/glyphWidth))
		l.add(shape{role: colorOf(s), width: 2, dashed: s.Color == 0, points: [][2]float64{{x, 39}, {x + 22, 39}}})
		l.add(shape{role: colorOf(s), mark: &Mark{Kept: true}, square: s.Color == 0, points: [][2]float64{{x + 11, 39}}})
		l.add(shape{role: roleInk, text: name, size: fontSize, anchor: -1, points: [][2]float64{{x + 28, 43}}})
		x += 28 + glyphWidth*float64(len([]rune(name))) + 22
	}
}

func colorOf(s Series) role {
	if s.Color == 0 {
		return roleOld
	}
	return roleNew
}

func cut(text string, room int) string {
	if runes := []rune(text); len(runes) > room && room > 1 {
		return string(runes[:room-1]) + "…"
	}
	return text
}

// axes draws grid, ticks and the names of the axes.
func (l *layouter) axes() {
	f := l.frame
	for _, t := range f.y.ticks {
		y := f.at(f.x.low, t)[1]
		l.add(shape{role: roleGrid, width: 1, points: [][2]float64{{f.left, y}, {f.right, y}}})
		l.add(shape{role: roleMuted, text: short(t), size: fontSize, anchor: 1, points: [][2]float64{{f.left - 6, y + 4}}})
	}
	for _, t := range f.x.ticks {
		x := f.at(t, f.y.low)[0]
		l.add(shape{role: roleGrid, width: 1, points: [][2]float64{{x, f.top}, {x, f.bottom}}})
		l.add(shape{role: roleMuted, text: short(t), size: fontSize, points: [][2]float64{{x, f.bottom + 16}}})
	}
	l.add(shape{role: roleMuted, width: 1, points: [][2]float64{{f.left, f.top}, {f.left, f.bottom}, {f.right, f.bottom}}})
	xLabel := l.chart.XLabel
	if f.x.log {
		xLabel += " (log)"
	}
	l.add(shape{role: roleInk, text: xLabel, size: fontSize, points: [][2]float64{{(f.left + f.right) / 2, f.bottom + 36}}})
	l.add(shape{role: roleInk, text: l.chart.YLabel, size: fontSize, turned: true, points: [][2]float64{{14, (f.top + f.bottom) / 2}}})
}

// frontier joins the kept points by steps: up to a latency, no more throughput
// than that of the kept point before it was reached.
func (l *layouter) frontier(s Series) {
	kept := slices.DeleteFunc(slices.Clone(s.Marks), func(m Mark) bool { return !m.Kept || !m.usable() })
	slices.SortFunc(kept, func(a, b Mark) int {
		switch {
		case a.X < b.X:
			return -1
		case a.X > b.X:
			return 1
		}
		return 0
	})
	var line [][2]float64
	for i, m := range kept {
		if i > 0 {
			line = append(line, l.frame.at(m.X, kept[i-1].Y))
		}
		line = append(line, l.frame.at(m.X, m.Y))
	}
	if len(line) > 1 {
		l.add(shape{role: colorOf(s), width: 2, dashed: s.Color == 0, points: line})
	}
	for i := 1; i < len(line); i++ {
		a, b := line[i-1], line[i]
		l.lines = append(l.lines, box{min(a[0], b[0]) - 1, min(a[1], b[1]) - 1, max(a[0], b[0]) + 1, max(a[1], b[1]) + 1})
	}
}

func (l *layouter) marks(s Series) {
	for i, m := range s.Marks {
		if !m.usable() {
			continue
		}
		p := l.frame.at(m.X, m.Y)
		l.taken = append(l.taken, box{p[0] - 5, p[1] - 5, p[0] + 5, p[1] + 5})
		l.add(shape{role: colorOf(s), mark: &s.Marks[i], square: s.Color == 0, points: [][2]float64{p}})
	}
}

// places are where a label may stand about its point.
var places = []struct {
	dx, dy float64
	anchor int
}{{-8, -8, 1}, {8, 14, -1}, {10, 4, -1}, {8, -8, -1}, {0, -10, 0}, {-8, 14, 1}, {-10, 4, 1}}

// labels names the kept points of the series on top where there is room, first
// away from all lines. Every point has its title and its line in a table
// besides.
func (l *layouter) labels(s Series) {
	for _, m := range s.Marks {
		if m.Kept && m.usable() && m.Label != "" && !l.label(m, l.lines) {
			l.label(m, nil)
		}
	}
}

// label writes one label where it hits nothing, if there is such a place.
func (l *layouter) label(m Mark, lines []box) bool {
	p, w := l.frame.at(m.X, m.Y), glyphWidth*float64(len([]rune(m.Label)))
	for _, try := range places {
		x, y := p[0]+try.dx, p[1]+try.dy
		left := x - w*float64(try.anchor+1)/2
		b := box{left - 1, y - 9, left + w + 1, y + 2}
		if b.left < l.frame.left || b.right > l.width-4 || b.top < l.frame.top-14 || b.bottom > l.frame.bottom || b.hits(l.taken) || b.hits(lines) {
			continue
		}
		l.taken = append(l.taken, b)
		l.add(shape{role: roleInk, text: m.Label, size: fontSize, anchor: try.anchor, points: [][2]float64{{x, y}}})
		return true
	}
	return false
}

type box struct{ left, top, right, bottom float64 }

func (b box) hits(others []box) bool {
	return slices.ContainsFunc(others, func(o box) bool {
		return b.left < o.right && o.left < b.right && b.top < o.bottom && o.top < b.bottom
	})
}
