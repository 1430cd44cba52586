package actions

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sethvargo/go-githubactions"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/pattern"
)

// delimiter is the line that the library writes before and after every value.
// It is the same each time, so a value that holds it could end its own block
// and define something else (spec/security.md, output injection).
const delimiter = "_GitHubActionsFileCommandDelimeter_"

// The bounds of what a step may write, where the options leave them at 0: the
// characters of all outputs, and the bytes of one variable.
const (
	DefaultOutputChars = 450_000
	DefaultEnvBytes    = 128 << 10
)

// WriterOptions say where a Writer writes.
type WriterOptions struct {
	Getenv func(string) string
	// Log is the standard output of the step, which the runner reads.
	Log io.Writer
	// OutputChars and EnvBytes are the limits of the settings.
	OutputChars, EnvBytes int
	// StopToken makes an unguessable word; nil uses the system's randomness.
	StopToken func() string
}

// Writer is everything that a step tells its runner. It is the only place that
// writes the runner's files and commands. It is not for use by several
// goroutines. Call Close at the end of the step.
type Writer struct {
	options WriterOptions
	lib     *githubactions.Action
	secrets []string
	chars   int // of outputs so far

	summary     summaryState
	annotations map[string]int // by kind
}

// NewWriter returns a writer for one step.
func NewWriter(o WriterOptions) *Writer {
	if o.OutputChars == 0 {
		o.OutputChars = DefaultOutputChars
	}
	if o.EnvBytes == 0 {
		o.EnvBytes = DefaultEnvBytes
	}
	if o.StopToken == nil {
		o.StopToken = randomToken
	}
	return &Writer{
		options:     o,
		lib:         githubactions.New(githubactions.WithGetenv(o.Getenv), githubactions.WithWriter(o.Log)),
		annotations: make(map[string]int),
	}
}

func randomToken() string {
	b := make([]byte, 16)
	rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// OutputTooLargeError says that an output does not fit. Its caller moves the
// value to an artifact. It wraps the finding with the text.
type OutputTooLargeError struct {
	Name string
	// Chars is what all outputs of the step would have, in UTF-16 units, each
	// of which GitHub counts as two bytes; Limit is the most there may be.
	Chars, Limit int
}

// Error says it in words.
func (e *OutputTooLargeError) Error() string { return e.Unwrap().Error() }

// Unwrap returns the finding.
func (e *OutputTooLargeError) Unwrap() error {
	return diag.New("actions.output-too-large", diag.Place{}, "name", e.Name, "chars", strconv.Itoa(e.Chars), "limit", strconv.Itoa(e.Limit)).In("unreadable")
}

var (
	outputForm = pattern.Lazy(`^[A-Za-z_][A-Za-z0-9_-]{0,99}$`)
	// reserved are variables that the runner keeps for itself, or that decide
	// which programs later steps run.
	reserved = pattern.Lazy(`^(?:(?:GITHUB|RUNNER|ACTIONS|LD|DYLD|GIT|SSH)_.*|NODE_OPTIONS|NODE_PATH|PATH|HOME|SHELL|ENV|BASH_ENV|BASH_FUNC_.*|PYTHONPATH|PYTHONSTARTUP|PERL5OPT|RUBYOPT|IFS|PROMPT_COMMAND|https?_proxy|HTTPS?_PROXY|CI)$`)
)

// SetOutput sets an output of the step. Values that could define another
// output, or that hold a masked secret, are refused; nothing is written then.
// The error is a diag.Finding or an *OutputTooLargeError.
func (w *Writer) SetOutput(name, value string) error {
	if err := w.check("GITHUB_OUTPUT", name, value); err != nil {
		return err
	}
	chars := w.chars + len(name) + utf16Units(value)
	if chars > w.options.OutputChars {
		return &OutputTooLargeError{Name: name, Chars: chars, Limit: w.options.OutputChars}
	}
	if err := guarded(func() { w.lib.SetOutput(name, value) }); err != nil {
		return err
	}
	w.chars = chars
	return nil
}

// SetEnv sets a variable for the later steps of the job.
func (w *Writer) SetEnv(name, value string) error {
	if reserved().MatchString(name) || !variableForm().MatchString(name) {
		return diag.New("actions.variable-name", diag.Place{}, "name", diag.Printable(name)).In("usage")
	}
	if err := w.check("GITHUB_ENV", name, value); err != nil {
		return err
	}
	if size := len(name) + len(value) + 2; size > w.options.EnvBytes {
		return diag.New("actions.variable-too-large", diag.Place{}, "name", name, "bytes", strconv.Itoa(size), "limit", strconv.Itoa(w.options.EnvBytes)).In("unreadable")
	}
	return guarded(func() { w.lib.SetEnv(name, value) })
}

// SaveState keeps a value for the step that runs after the job.
func (w *Writer) SaveState(name, value string) error {
	if err := w.check("GITHUB_STATE", name, value); err != nil {
		return err
	}
	return guarded(func() { w.lib.SaveState(name, value) })
}

// check refuses what must not be written to a file of the runner.
func (w *Writer) check(variable, name, value string) error {
	if !outputForm().MatchString(name) {
		return diag.New("actions.output-name", diag.Place{}, "name", diag.Printable(name)).In("usage")
	}
	why := ""
	switch {
	case strings.Contains(value, delimiter):
		why = "it holds the line that ends a value"
	case !utf8.ValidString(value) || strings.ContainsRune(value, 0):
		why = "it is not plain UTF-8 text"
	case w.clean(value) != value:
		why = "it holds a secret"
	}
	if why != "" {
		return diag.New("actions.output-refused", diag.Place{}, "name", name, "detail", why).In("unsafe")
	}
	return w.checkFile(variable)
}

// checkFile wants the file of a variable to be there, as the runner makes it.
// The library would panic without, or write to whatever it finds.
func (w *Writer) checkFile(variable string) error {
	info, err := os.Lstat(w.options.Getenv(variable))
	if err != nil || !info.Mode().IsRegular() {
		return diag.New("actions.no-file", diag.Place{}, "variable", variable).In("unreadable")
	}
	return nil
}

// guarded turns the panics of the library into errors.
func guarded(f func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = diag.New("actions.write-failed", diag.Place{}, "detail", diag.Printable(fmt.Sprint(r))).In("unreadable")
		}
	}()
	f()
	return nil
}

// utf16Units counts characters as GitHub does.
func utf16Units(s string) int {
	n := 0
	for _, r := range s {
		if n++; r > 0xffff {
			n++
		}
	}
	return n
}

// Mask has the runner hide a secret in the log from here on, and has this
// writer hide it everywhere. A secret of several lines is masked line by line,
// since the runner compares lines; short ones among them, such as a bracket,
// are no secret.
func (w *Writer) Mask(secret string) error {
	whole := strings.TrimSpace(secret)
	for line := range strings.Lines(whole) {
		line = strings.TrimSpace(line)
		if line == "" || line != whole && len(line) < shortest {
			continue
		}
		w.secrets = append(w.secrets, line)
		if err := guarded(func() { w.lib.AddMask(line) }); err != nil {
			return err
		}
	}
	return nil
}

// shortest is the length below which a masked text is left to the runner: to
// hide every "a" would destroy what we write.
const shortest = 4

// clean returns text without masked secrets.
func (w *Writer) clean(text string) string {
	for _, secret := range w.secrets {
		if len(secret) >= shortest {
			text = strings.ReplaceAll(text, secret, "***")
		}
	}
	return text
}

// Close writes what there is to say at the end of the step: how much of what
// was written GitHub does not show.
func (w *Writer) Close() error { return w.tellUnshown() }
