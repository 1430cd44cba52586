package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the page, its rules and its script
	"encoding/base64"
	"encoding/json"
	"html/template"
	"io"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/results"
	"github.com/sweepbot/sweepbot/results/plot"
)

var (
	//go:embed page.html
	pageText string
	//go:embed page.css
	pageStyle string
	//go:embed page.js
	pageScript string
)

// page is what the template shows. All of its texts are escaped by the template;
// what is marked as safe was made here, by writers that escape.
type page struct {
	Report
	Policy        string
	Style, Script template.HTML
	Data          template.HTML
	Problems      []problemLine
	Plots         []plotView
	Tables        []htmlTable
	Notable, All  []htmlChange
	Views         []pointView
}

type problemLine struct {
	Point
	WhyEN, WhyZH string
}

type plotView struct {
	Curve
	Wide, Narrow template.HTML
}

type htmlTable struct {
	Key   string
	Head  []column
	Lines []htmlLine
}

type htmlLine struct {
	ID    string
	Cells []htmlCell
}

type htmlCell struct {
	Text, Sort string
	Number     bool
	// Long cells may be broken into lines.
	Long bool
}

type htmlChange struct {
	Compared Compared
	Change   Change
}

// pointView is a point with its values ready to show.
type pointView struct {
	Point
	Values []Setting
	WhyEN  string
	WhyZH  string
}

// WriteHTML writes the report as one page that needs nothing else: no network,
// no other file, and no script to be read. Its policy forbids any request.
func (r Report) WriteHTML(w io.Writer) error {
	style := pageStyle + plot.Style
	p := page{
		Report: r, Style: template.HTML("<style>" + style + "</style>"), Script: template.HTML("<script>" + pageScript + "</script>"),
		Policy: "default-src 'none'; style-src " + hashOf(style) + "; script-src " + hashOf(pageScript) + "; base-uri 'none'; form-action 'none'",
	}
	p.fill()
	data, err := json.Marshal(r.withoutRows())
	if err != nil {
		return err
	}
	// json.Marshal writes <, > and & as escapes, so that no text ends the block.
	p.Data = template.HTML(`<script type="application/json" id="report">` + string(data) + "</script>")
	t, err := template.New("page").Funcs(template.FuncMap{
		"tr": tr, "word": word, "number": numberOf, "signed": signed, "percent": percent, "score": scoreText,
		"link": plainAddress, "sha": shortSHA, "wall": wallTime, "join": strings.Join, "line": oneLine,
	}).Parse(pageText)
	if err != nil {
		return err
	}
	return t.Execute(w, p)
}

// fill prepares what the template only writes down.
func (p *page) fill() {
	for _, q := range p.Points {
		view := pointView{Point: q, WhyEN: q.why(catalog.English), WhyZH: q.why(catalog.Chinese)}
		for _, m := range sortedMetrics(q) {
			view.Values = append(view.Values, Setting{m, number(q.Metrics[m])})
		}
		p.Views = append(p.Views, view)
		if q.State != results.Passed && q.State != results.Pending {
			p.Problems = append(p.Problems, problemLine{q, view.WhyEN, view.WhyZH})
		}
	}
	for _, c := range p.Curves {
		p.Plots = append(p.Plots, plotView{c, inline(c.Chart(p.Report, 720, 420, true), "wide"), inline(c.Chart(p.Report, 350, 340, true), "narrow")})
	}
	for _, t := range p.Report.tables(false) {
		p.Tables = append(p.Tables, t.html())
	}
	if p.Comparison == nil {
		return
	}
	for _, c := range p.Comparison.Points {
		for _, ch := range c.Changes {
			p.All = append(p.All, htmlChange{c, ch})
			if ch.notable() {
				p.Notable = append(p.Notable, htmlChange{c, ch})
			}
		}
	}
}

const longCell = 36

func (t table) html() htmlTable {
	out := htmlTable{Key: t.key, Head: t.columns}
	for _, p := range t.points {
		line := htmlLine{ID: p.ID}
		for _, c := range t.columns {
			text := oneLine(c.text(p))
			line.Cells = append(line.Cells, htmlCell{Text: text, Sort: sortKey(text), Number: c.number, Long: len(text) > longCell})
		}
		out.Lines = append(out.Lines, line)
	}
	return out
}

// sortKey is the number that a cell begins with.
func sortKey(text string) string {
	end := strings.IndexFunc(text, func(r rune) bool { return !strings.ContainsRune("0123456789.+-e", r) })
	if end < 0 {
		end = len(text)
	}
	if _, err := strconv.ParseFloat(text[:end], 64); err != nil {
		return ""
	}
	return text[:end]
}

// Name and Number let the template read a column.
func (c column) Name() string { return c.name }

// IsNumber reports whether the column is sorted by value.
func (c column) IsNumber() bool { return c.number }

func inline(c plot.Chart, class string) template.HTML {
	var out bytes.Buffer
	_ = c.WriteInline(&out, class) // a buffer takes everything
	return template.HTML(out.String())
}

// withoutRows is the report as the data of its page: without the rows as they
// were uploaded, and without commands, which the page shows anyway.
func (r Report) withoutRows() Report {
	points := make([]Point, len(r.Points))
	for i, p := range r.Points {
		p.Row, p.Serve = nil, nil
		p.Scores = append([]Score(nil), p.Scores...)
		for k := range p.Scores {
			p.Scores[k].Row = nil
		}
		points[i] = p
	}
	r.Points = points
	return r
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// tr is a text of the catalogue in both languages; the page shows one of them.
func tr(key string, args ...any) template.HTML {
	words := make([]string, len(args))
	for i, a := range args {
		switch v := a.(type) {
		case string:
			words[i] = oneLine(v)
		case int:
			words[i] = strconv.Itoa(v)
		}
	}
	return both(say(catalog.English, key, words...), say(catalog.Chinese, key, words...))
}

// word is a word of the catalogue, or the word itself.
func word(prefix string, value any) template.HTML {
	var text string
	switch v := value.(type) {
	case results.State:
		text = string(v)
	case results.Verdict:
		text = string(v)
	case string:
		text = v
	}
	return both(sayOr(catalog.English, prefix, text), sayOr(catalog.Chinese, prefix, text))
}

func both(en, zh string) template.HTML {
	if en == zh {
		return template.HTML(template.HTMLEscapeString(en))
	}
	return template.HTML(`<span lang="en">` + template.HTMLEscapeString(en) + `</span><span lang="zh">` + template.HTMLEscapeString(zh) + `</span>`)
}

// Headline is the outcome in both languages.
func (p page) Headline() template.HTML {
	return both(p.headline(catalog.English), p.headline(catalog.Chinese))
}

// CountLine is the coverage in both languages.
func (p page) CountLine() template.HTML {
	return both(p.countLine(catalog.English), p.countLine(catalog.Chinese))
}

// CompareLine is the comparison in both languages.
func (p page) CompareLine() template.HTML {
	return both(p.Comparison.line(catalog.English), p.Comparison.line(catalog.Chinese))
}

// RerunLine is the decision about re-runs in both languages.
func (p page) RerunLine() template.HTML {
	return both(p.Rerun.line(catalog.English), p.Rerun.line(catalog.Chinese))
}

// Why is the reason of a line in both languages.
func (l problemLine) Why() template.HTML { return both(l.WhyEN, l.WhyZH) }

// Why is the reason of a point in both languages.
func (v pointView) Why() template.HTML { return both(v.WhyEN, v.WhyZH) }
