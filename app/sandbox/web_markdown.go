package sandbox

import (
	"bytes"
	"html"
	"html/template"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"

	"github.com/sweepbot/sweepbot/internal/pattern"
)

// markdown renders GitHub's dialect. HTML in a text is shown as text, but for a
// few tags without attributes that fold and mark.
var markdown = sync.OnceValue(func() goldmark.Markdown {
	return goldmark.New(
		goldmark.WithExtensions(extension.GFM),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(plainHTML{}, 1))),
	)
})

// render turns Markdown into HTML that is safe to show. Longer texts than a
// comment can have are shown as they are: hostile ones take too long.
func render(text string) template.HTML {
	if len(text) > 4*maxBody {
		return template.HTML("<pre>" + html.EscapeString(text) + "</pre>")
	}
	var b bytes.Buffer
	if err := markdown().Convert([]byte(text), &b); err != nil {
		return template.HTML("<pre>" + html.EscapeString(text) + "</pre>")
	}
	return template.HTML(b.String())
}

// plainHTML renders the HTML in a Markdown text.
type plainHTML struct{}

// RegisterFuncs takes the place of the library's own rendering.
func (p plainHTML) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindHTMLBlock, p.block)
	r.Register(ast.KindRawHTML, p.inline)
}

func (plainHTML) block(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*ast.HTMLBlock)
	if !entering {
		return ast.WalkContinue, nil
	}
	text := string(n.Lines().Value(source))
	if n.HasClosure() {
		text += string(n.ClosureLine.Value(source))
	}
	_, err := w.WriteString(allowed(text))
	return ast.WalkContinue, err
}

func (plainHTML) inline(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		text := string(node.(*ast.RawHTML).Segments.Value(source))
		if _, err := w.WriteString(allowed(text)); err != nil {
			return ast.WalkStop, err
		}
	}
	return ast.WalkSkipChildren, nil
}

var (
	htmlComment = pattern.Lazy(`(?s)<!--.*?(?:-->|$)`)
	allowedTag  = pattern.Lazy(`^</?(?:details|summary|sub|sup|br|kbd|b|i|em|strong|code|p)(?: open)?\s*/?>$`)
	anyTag      = pattern.Lazy(`<[^<>]*>`)
)

// allowed drops comments, keeps the allowed tags and escapes everything else.
func allowed(text string) string {
	text = htmlComment().ReplaceAllString(text, "")
	var b strings.Builder
	last := 0
	for _, at := range anyTag().FindAllStringIndex(text, -1) {
		b.WriteString(html.EscapeString(text[last:at[0]]))
		tag := text[at[0]:at[1]]
		if !allowedTag().MatchString(tag) {
			tag = html.EscapeString(tag)
		}
		b.WriteString(tag)
		last = at[1]
	}
	b.WriteString(html.EscapeString(text[last:]))
	return b.String()
}
