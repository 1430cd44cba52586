package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/sweepbot/sweepbot/changelog"
	"github.com/sweepbot/sweepbot/internal/catalog"
)

// asker asks questions on a terminal. Questions go to standard error, so that
// standard output holds the result only.
type asker struct {
	in   *bufio.Reader
	out  io.Writer
	lang catalog.Language
}

// maxAnswer is the longest answer in bytes.
const maxAnswer = 4096

// errNoAnswer ends the asking when the input does.
var errNoAnswer = errors.New("the input ended before the entry was complete")

// ask prints a question and returns the answer without blanks around it.
func (a *asker) ask(code string) (string, error) {
	fmt.Fprint(a.out, catalog.Message(a.lang, code)+" ")
	line, err := a.in.ReadString('\n')
	line = strings.TrimSpace(line)
	switch {
	case err != nil && line == "":
		return "", errNoAnswer
	case len(line) > maxAnswer:
		return "", fmt.Errorf("the answer is longer than %d bytes", maxAnswer)
	}
	return line, nil
}

// askDraft asks for what makes an entry.
func (s *streams) askDraft(ctx context.Context, draft *changelog.Draft) error {
	a := &asker{in: bufio.NewReaderSize(s.in, maxAnswer), out: s.err, lang: s.lang}
	keys, err := a.ask("cli.ask-keys")
	if err != nil {
		return err
	}
	draft.ConfigKeys = strings.FieldsFunc(keys, func(r rune) bool { return r == ',' || r == ' ' })
	for ctx.Err() == nil {
		text, err := a.ask("cli.ask-description")
		if err != nil {
			return err
		}
		if text == "" && len(draft.Description) > 0 {
			break
		}
		if text != "" {
			draft.Description = append(draft.Description, text)
		}
	}
	return a.scope(draft)
}

// scope asks what of the configs is to run.
func (a *asker) scope(draft *changelog.Draft) error {
	answer, err := a.ask("cli.ask-scenario")
	if err != nil {
		return err
	}
	if answer != "" {
		draft.Scenarios = []string{answer}
	}
	if answer, err = a.ask("cli.ask-mode"); err != nil {
		return err
	}
	switch answer {
	case "":
	case "evals-only":
		draft.EvalsOnly = true
	case "all-evals":
		draft.AllEvals = true
	case "append-only":
		draft.AppendOnly = true
	default:
		return usage("usage.bad-choice", "value", answer, "option", "mode", "choices", "evals-only, all-evals, append-only")
	}
	return nil
}
