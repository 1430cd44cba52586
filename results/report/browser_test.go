package report

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// chromium is the browser, "" where there is none. With
// SWEEPBOT_REQUIRE_CHROMIUM=1 it must be there.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			return found
		}
	}
	if os.Getenv("SWEEPBOT_REQUIRE_CHROMIUM") == "1" {
		t.Fatal("no chromium here")
	}
	t.Skip("no chromium here")
	return ""
}

// frame shows the report at a width, which a headless window can't go below by
// itself, and writes down what it measures: the width of the content, the colour
// of the page, and everything that was loaded. A scroll bar is no content.
const frame = `<!DOCTYPE html><meta name="color-scheme" content="light dark"><body><iframe src="report.html" style="width:%dpx;height:900px;border:0"></iframe>
<script>addEventListener("load", function () {
  var w = frames[0], d = w.document;
  document.body.textContent = "MEASURED width=" + d.documentElement.scrollWidth + " of=" + (w.innerWidth - d.documentElement.clientWidth < 20 ? d.documentElement.clientWidth : 0) + " in=" + w.innerWidth +
    " dark=" + w.matchMedia("(prefers-color-scheme: dark)").matches + " back=" + w.getComputedStyle(d.body).backgroundColor.replace(/ /g, "") +
    " loaded=" + w.performance.getEntriesByType("resource").length + " scripts=" + d.documentElement.classList.contains("script") + " END";
});</script>`

var measured = regexp.MustCompile(`MEASURED width=(\d+) of=(\d+) in=(\d+) dark=(\w+) back=(\S+) loaded=(\d+) scripts=(\w+) END`)

// TestBrowser opens the page in a real browser, narrow and wide, light and dark:
// no message on the console, no request, and nothing wider than the screen.
func TestBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("five starts of a browser")
	}
	browser := chromium(t)
	dir := t.TempDir()
	var page bytes.Buffer
	if err := Build(mixed(t)).WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("report.html", page.String())
	backs := make(map[string]string)
	for _, width := range []int{390, 1280} {
		for _, dark := range []bool{false, true} {
			write("frame.html", fmt.Sprintf(frame, width))
			dom, log := open(t, browser, dir, dark)
			m := measured.FindStringSubmatch(dom)
			if m == nil {
				t.Fatalf("%d px: nothing was measured:\n%.2000s\n%s", width, dom, log)
			}
			if m[3] != fmt.Sprint(width) || m[1] != m[2] {
				t.Errorf("%d px: the page is %s px wide in %s", width, m[1], m[2])
			}
			if m[4] != fmt.Sprint(dark) || m[6] != "0" || m[7] != "true" {
				t.Errorf("%d px, dark %t: %s", width, dark, m[0])
			}
			if strings.Contains(log, ":CONSOLE") {
				t.Errorf("%d px: the console says\n%s", width, log)
			}
			backs[m[4]] = m[5]
		}
	}
	if backs["true"] == backs["false"] {
		t.Errorf("light and dark have one background: %v", backs)
	}
	write("report.html", "<script>console.error('seen')</script>")
	if _, log := open(t, browser, dir, false); !strings.Contains(log, ":CONSOLE") {
		t.Errorf("a message on the console goes unseen:\n%s", log)
	}
}

// open loads the frame and returns the page that came of it, and the log with
// the console.
func open(t *testing.T, browser, dir string, dark bool) (dom, log string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	scheme := "1" // light
	if dark {
		scheme = "0"
	}
	cmd := exec.CommandContext(ctx, browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions",
		"--disable-background-networking", "--disable-component-update", "--host-resolver-rules=MAP * ~NOTFOUND", "--user-data-dir="+t.TempDir(),
		"--allow-file-access-from-files", "--window-size=1400,1000", "--blink-settings=preferredColorScheme="+scheme,
		"--enable-logging=stderr", "--v=0", "--virtual-time-budget=3000", "--dump-dom", "file://"+filepath.Join(dir, "frame.html"))
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, errs.String())
	}
	return out.String(), errs.String()
}
