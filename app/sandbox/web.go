package sandbox

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"sync"
	"time"
)

//go:embed pages
var pageFiles embed.FS

// pages are the templates, parsed when a page is first asked for.
var pages = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(pageWords).ParseFS(pageFiles, "pages/*.html"))
})

// pageWords are the functions of the templates.
var pageWords = template.FuncMap{
	"markdown": func(text any) template.HTML { s, _ := text.(string); return render(s) },
	"short":    func(sha any) string { s, _ := sha.(string); return s[:min(len(s), 8)] },
	"ago":      readableTime,
	"state":    stateWord,
	"icon":     stateIcon,
	"size":     readableSize,
	"took":     readableSpan,
	"words":    func(s any) string { return strings.ReplaceAll(fmt.Sprint(s), "_", " ") },
	"difflines": func(patch any) []diffLine {
		s, _ := patch.(string)
		return diffLines(s)
	},
}

// view is a page to be rendered: a template and what it shows.
type view struct {
	name, title string
	data        doc
}

// servePage answers the request for a page. Pages show everything: whoever can
// open them sits at this machine.
func (s *Server) servePage(w http.ResponseWriter, r *http.Request) {
	rt, ok := s.web.find(r)
	if !ok || r.Method != http.MethodGet && r.Method != http.MethodHead {
		s.writePage(w, nil, notFound())
		return
	}
	s.mu.Lock()
	c := &call{s: s, r: r, who: personal(s.main.owner), status: http.StatusOK, header: make(http.Header)}
	answer, err := func() (any, error) {
		if err := c.enter(rt); err != nil {
			return nil, err
		}
		return rt.handle(c)
	}()
	if v, ok := answer.(view); ok && err == nil {
		answer, err = s.renderPage(c, v)
	}
	s.mu.Unlock()
	s.writePage(w, answer, err)
}

// renderPage fills a template.
func (s *Server) renderPage(c *call, v view) (any, error) {
	data := merged(v.data, doc{"page": v.title, "base": s.base, "tab": v.name})
	if c.repo != nil {
		data["repo"] = s.repoDoc(c.repo)
	}
	var b bytes.Buffer
	if err := pages().ExecuteTemplate(&b, v.name+".html", data); err != nil {
		return nil, err
	}
	return raw{"text/html; charset=utf-8", b.Bytes()}, nil
}

// writePage sends a page, a file or an error.
func (s *Server) writePage(w http.ResponseWriter, answer any, err error) {
	h := w.Header()
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	if err != nil {
		code := http.StatusInternalServerError
		var e *APIError
		if errors.As(err, &e) {
			code = e.Status
		}
		http.Error(w, http.StatusText(code)+": "+err.Error(), code)
		return
	}
	switch x := answer.(type) {
	case redirect:
		h.Set("Location", string(x))
		w.WriteHeader(http.StatusFound)
	case raw:
		h.Set("Content-Type", x.contentType)
		_, _ = w.Write(x.data) // the client went away
	}
}

// stateWord is the word for a status with its conclusion.
func stateWord(status, conclusion any) string {
	if word, ok := conclusion.(string); ok && word != "" {
		return word
	}
	return fmt.Sprint(status)
}

// stateIcon is the sign for such a word.
func stateIcon(word string) string {
	switch word {
	case "success":
		return "✓"
	case "failure", "timed_out", "startup_failure", "error":
		return "✗"
	case "cancelled", "stale":
		return "⊘"
	case "skipped", "neutral":
		return "–"
	case "in_progress":
		return "●"
	}
	return "○"
}

// readableTime is a time of a document for people.
func readableTime(text any) string {
	t, err := time.Parse(time.RFC3339, fmt.Sprint(text))
	if err != nil {
		return ""
	}
	return t.UTC().Format("2 Jan 2006, 15:04:05")
}

// readableSpan is the time between two times of a document.
func readableSpan(from, to any) string {
	a, errA := time.Parse(time.RFC3339, fmt.Sprint(from))
	b, errB := time.Parse(time.RFC3339, fmt.Sprint(to))
	if errA != nil || errB != nil {
		return ""
	}
	return b.Sub(a).String()
}

func readableSize(n any) string {
	size, _ := n.(int)
	switch {
	case size >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(size)/(1<<20))
	case size >= 1<<10:
		return fmt.Sprintf("%.1f kB", float64(size)/(1<<10))
	}
	return fmt.Sprintf("%d B", size)
}

// diffLine is one line of a patch with its kind: add, del, hunk or same.
type diffLine struct{ Kind, Text string }

func diffLines(patch string) []diffLine {
	var lines []diffLine
	for line := range strings.Lines(patch) {
		kind := "same"
		switch line[0] {
		case '+':
			kind = "add"
		case '-':
			kind = "del"
		case '@':
			kind = "hunk"
		}
		lines = append(lines, diffLine{kind, strings.TrimSuffix(line, "\n")})
	}
	return lines
}
