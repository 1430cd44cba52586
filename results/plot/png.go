package plot

import (
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
)

// palette gives roles their colours.
type palette struct {
	ground color.RGBA
	roles  map[role]color.RGBA
}

func rgb(hex uint32) color.RGBA {
	return color.RGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 255}
}

var (
	light = palette{rgb(0xffffff), map[role]color.RGBA{
		roleInk: rgb(0x1f2328), roleMuted: rgb(0x59636e), roleGrid: rgb(0xd8dee4), roleOld: rgb(0x7a5b00), roleNew: rgb(0x0757ba)}}
	dark = palette{rgb(0x0d1117), map[role]color.RGBA{
		roleInk: rgb(0xe6edf3), roleMuted: rgb(0x9da7b1), roleGrid: rgb(0x2f3742), roleOld: rgb(0xe3b341), roleNew: rgb(0x6cb6ff)}}
)

// pngScale is the number of pixels of the PNG to one of the SVG, each way.
const pngScale = 2

// WritePNG writes the chart as a picture for places that show no SVG.
func (c Chart) WritePNG(w io.Writer, onDark bool) error {
	colors := light
	if onDark {
		colors = dark
	}
	width, height, shapes := c.layout()
	p := &painter{img: image.NewRGBA(image.Rect(0, 0, width*pngScale, height*pngScale))}
	for i := 0; i < len(p.img.Pix); i += 4 {
		copy(p.img.Pix[i:], []uint8{colors.ground.R, colors.ground.G, colors.ground.B, 255})
	}
	for _, s := range shapes {
		p.draw(s, colors)
	}
	return (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(w, p.img)
}

// painter draws with soft edges.
type painter struct{ img *image.RGBA }

func (p *painter) draw(s shape, colors palette) {
	ink := colors.roles[s.role]
	switch {
	case s.mark != nil:
		at := s.points[0]
		fill := colors.ground
		if s.mark.Kept {
			fill = ink
		}
		if s.square {
			p.square(at, 5, ink)
			p.square(at, 3, fill)
			return
		}
		p.dot(at, markRadius+1, ink)
		p.dot(at, markRadius-1, fill)
	case s.text != "":
		p.text(s, ink)
	default:
		for i := 1; i < len(s.points); i++ {
			if s.dashed {
				p.dashes(s.points[i-1], s.points[i], s.width, ink)
				continue
			}
			p.line(s.points[i-1], s.points[i], s.width, ink)
		}
	}
}

func (p *painter) dot(at [2]float64, radius float64, c color.RGBA) { p.line(at, at, 2*radius, c) }

func (p *painter) square(at [2]float64, half float64, c color.RGBA) {
	for y := int((at[1] - half) * pngScale); y < int((at[1]+half)*pngScale); y++ {
		for x := int((at[0] - half) * pngScale); x < int((at[0]+half)*pngScale); x++ {
			p.blend(x, y, 1, c)
		}
	}
}

// dashes draws a broken line: five on, four off.
func (p *painter) dashes(a, b [2]float64, width float64, c color.RGBA) {
	length := math.Hypot(b[0]-a[0], b[1]-a[1])
	at := func(d float64) [2]float64 {
		t := math.Min(d/length, 1)
		return [2]float64{a[0] + (b[0]-a[0])*t, a[1] + (b[1]-a[1])*t}
	}
	for d := 0.0; d < length; d += 9 {
		p.line(at(d), at(d+5), width, c)
	}
}

// line draws a line with round ends: every pixel is covered by how near it lies.
func (p *painter) line(a, b [2]float64, width float64, c color.RGBA) {
	ax, ay, bx, by := a[0]*pngScale, a[1]*pngScale, b[0]*pngScale, b[1]*pngScale
	half := width * pngScale / 2
	dx, dy := bx-ax, by-ay
	square := dx*dx + dy*dy
	for y := int(min(ay, by) - half - 1); y <= int(max(ay, by)+half+1); y++ {
		for x := int(min(ax, bx) - half - 1); x <= int(max(ax, bx)+half+1); x++ {
			px, py := float64(x)+0.5-ax, float64(y)+0.5-ay
			t := 0.0
			if square > 0 {
				t = min(max((px*dx+py*dy)/square, 0), 1)
			}
			p.blend(x, y, half+0.5-math.Hypot(px-t*dx, py-t*dy), c)
		}
	}
}

func (p *painter) blend(x, y int, share float64, c color.RGBA) {
	if share <= 0 || !(image.Point{X: x, Y: y}.In(p.img.Rect)) {
		return
	}
	share = min(share, 1)
	i := p.img.PixOffset(x, y)
	for k, v := range []uint8{c.R, c.G, c.B} {
		p.img.Pix[i+k] = uint8(math.Round(float64(p.img.Pix[i+k])*(1-share) + float64(v)*share))
	}
}

// text draws a text in strokes.
func (p *painter) text(s shape, c color.RGBA) {
	unit := s.size / 8.6
	advance, thick := unit*4.8, unit*0.9
	if s.bold {
		thick = unit * 1.15
	}
	runes := []rune(s.text)
	start := -advance * float64(len(runes)) * float64(s.anchor+1) / 2
	origin := s.points[0]
	place := func(x, y float64) [2]float64 {
		if s.turned {
			return [2]float64{origin[0] - y, origin[1] - x}
		}
		return [2]float64{origin[0] + x, origin[1] - y}
	}
	for i, r := range runes {
		left := start + advance*float64(i) + unit*0.4
		for _, line := range glyph(r) {
			for k := range line {
				from := line[max(k-1, 0)]
				p.line(place(left+from[0]*unit*0.85, from[1]*unit), place(left+line[k][0]*unit*0.85, line[k][1]*unit), thick, c)
			}
		}
	}
}
