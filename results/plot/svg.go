package plot

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Style are the rules that give an SVG its colours, light and dark. A page that
// holds several plots writes it once.
const Style = `.plot{--ink:#1f2328;--muted:#59636e;--grid:#d8dee4;--old:#7a5b00;--new:#0757ba;--ground:#fff;font:11px system-ui,-apple-system,"Segoe UI",sans-serif}
@media (prefers-color-scheme:dark){.plot{--ink:#e6edf3;--muted:#9da7b1;--grid:#2f3742;--old:#e3b341;--new:#6cb6ff;--ground:#0d1117}}
.plot .ground{fill:var(--ground)}
.plot text{fill:var(--ink)}.plot text.muted{fill:var(--muted)}.plot .bold{font-weight:600;font-size:14px}
.plot polyline{fill:none;stroke:var(--muted)}.plot .grid{stroke:var(--grid)}.plot .old{stroke:var(--old)}.plot .new{stroke:var(--new)}
.plot .mark{fill:var(--ground);stroke-width:2}.plot .old.kept{fill:var(--old)}.plot .new.kept{fill:var(--new)}
.plot a:focus,.plot a:hover{outline:none}.plot a:focus .mark,.plot a:hover .mark,.plot g:hover>.mark{stroke-width:5}
`

// classes are the class names of roles.
var classes = map[role]string{roleInk: "ink", roleMuted: "muted", roleGrid: "grid", roleOld: "old", roleNew: "new"}

// WriteSVG writes the chart as a document of its own: it needs nothing else.
func (c Chart) WriteSVG(w io.Writer) error {
	return c.write(w, true, "plot")
}

// WriteInline writes the chart for a page that holds Style. Class is added to
// the classes of the picture.
func (c Chart) WriteInline(w io.Writer, class string) error {
	return c.write(w, false, strings.TrimSpace("plot "+class))
}

func (c Chart) write(w io.Writer, alone bool, class string) error {
	width, height, shapes := c.layout()
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, `<svg class="%s" viewBox="0 0 %d %d"`, class, width, height)
	if alone {
		fmt.Fprintf(out, ` xmlns="http://www.w3.org/2000/svg" width="%d" height="%d"`, width, height)
	}
	fmt.Fprintf(out, ` role="group" aria-label="%s">`, escape(c.Title))
	out.WriteByte('\n')
	if alone {
		fmt.Fprintf(out, "<style>%s</style>\n<rect class=\"ground\" width=\"%d\" height=\"%d\"/>\n", Style, width, height)
	}
	for _, s := range shapes {
		s.svg(out)
	}
	out.WriteString("</svg>\n")
	return out.Flush()
}

func (s shape) svg(out *bufio.Writer) {
	class := classes[s.role]
	x, y := pixel(s.points[0][0]), pixel(s.points[0][1])
	switch {
	case s.mark != nil:
		s.svgMark(out, class)
	case s.text != "":
		if s.bold {
			class += " bold"
		}
		anchor := map[int]string{-1: "start", 0: "middle", 1: "end"}[s.anchor]
		turn := ""
		if s.turned {
			turn = fmt.Sprintf(` transform="rotate(-90 %s %s)"`, x, y)
		}
		fmt.Fprintf(out, `<text class="%s" x="%s" y="%s" text-anchor="%s"%s>%s</text>`+"\n", class, x, y, anchor, turn, escape(s.text))
	case len(s.points) > 1:
		dash := ""
		if s.dashed {
			dash = ` stroke-dasharray="5 4"`
		}
		fmt.Fprintf(out, `<polyline class="%s" stroke-width="%s"%s points="`, class, pixel(s.width), dash)
		for i, p := range s.points {
			if i > 0 {
				out.WriteByte(' ')
			}
			out.WriteString(pixel(p[0]) + "," + pixel(p[1]))
		}
		out.WriteString("\"/>\n")
	}
}

// svgMark draws a point, as a link where it leads somewhere, so that the
// keyboard reaches it.
func (s shape) svgMark(out *bufio.Writer, class string) {
	class += " mark"
	if s.mark.Kept {
		class += " kept"
	}
	closing := "</g>"
	if s.mark.Link != "" {
		fmt.Fprintf(out, `<a href="%s" aria-label="%s">`, escape(s.mark.Link), escape(s.mark.Title))
		closing = "</a>"
	} else {
		out.WriteString("<g>")
	}
	if s.mark.Title != "" {
		fmt.Fprintf(out, "<title>%s</title>", escape(s.mark.Title))
	}
	x, y := s.points[0][0], s.points[0][1]
	if s.square {
		fmt.Fprintf(out, `<rect class="%s" x="%s" y="%s" width="8" height="8"/>`, class, pixel(x-4), pixel(y-4))
	} else {
		fmt.Fprintf(out, `<circle class="%s" cx="%s" cy="%s" r="%s"/>`, class, pixel(x), pixel(y), pixel(markRadius))
	}
	out.WriteString(closing + "\n")
}

// pixel is a coordinate with at most two decimals.
func pixel(v float64) string {
	text := strconv.FormatFloat(v, 'f', 2, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

var xmlEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")

// escape makes any text fit XML: what XML can't hold is dropped.
func escape(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == 0xfffe || r == 0xffff || r == 0xfffd {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	return xmlEscaper.Replace(text)
}
