package main

import (
	"context"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/checks/bundle"
	"github.com/sweepbot/sweepbot/checks/given"
	"github.com/sweepbot/sweepbot/checks/signoff"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/pattern"
)

// caseFlags name the case that is verified, and its evidence.
type caseFlags struct {
	repo, base, head, repository    string
	pr                              int
	signer, association, body, date string
	era                             string
	evidence                        []string
}

func (f *caseFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.repo, "repo", ".", "`DIR` of a clone")
	c.Flags().StringVar(&f.base, "base", "", "`REV` before the change, which also stands for the target branch (default: where the branch left its base branch)")
	c.Flags().StringVar(&f.head, "head", "", "`REV` that is assessed (default: HEAD)")
	c.Flags().StringVar(&f.repository, "repository", "", "`OWNER/NAME` for links (default: that of the evidence, else of the settings)")
	c.Flags().IntVar(&f.pr, "pr", 0, "`NUMBER` of the pull request")
	c.Flags().StringVar(&f.signer, "signer", "", "`LOGIN` of the author of the sign-off")
	c.Flags().StringVar(&f.association, "association", "", "the signer's author association, such as `MEMBER` (default: that of the signer's newest comment in the evidence)")
	c.Flags().StringVar(&f.body, "body-file", "", "`FILE` with the text of the sign-off, - for standard input")
	c.Flags().StringVar(&f.date, "date", "", "day of the assessment in UTC, as `YYYY-MM-DD` (default: today)")
	c.Flags().StringVar(&f.era, "era", "", "profile of numbered checks instead of that of the settings: `ERA` is one of "+strings.Join(checks.Eras(), ", "))
	c.Flags().StringArrayVar(&f.evidence, "evidence", nil, "`FILE` of evidence: JSON of the API, a folder or zip archive of such files, or a bundle; repeat it")
}

// login is the form of logins in sign-offs (spec/verdict.md section 1.3).
var login = pattern.Lazy(`^[A-Za-z0-9][A-Za-z0-9-]{0,99}(?:\[bot\])?$`)

// check refuses values that no flag library looks at.
func (f *caseFlags) check() error {
	f.signer = strings.TrimPrefix(f.signer, "@")
	switch {
	case f.pr < 0:
		return usage("cli.pr-number")
	case f.signer != "" && !login().MatchString(f.signer):
		return usage("signoff.bad-login", "value", f.signer)
	case f.era != "":
		return choice("--era", f.era, checks.Eras())
	}
	return nil
}

// day is the day of the assessment; only the roof knows what day it is.
func (f *caseFlags) day() (time.Time, error) {
	if f.date == "" {
		return time.Now().UTC().Truncate(24 * time.Hour), nil
	}
	day, err := time.Parse(time.DateOnly, f.date)
	if err != nil {
		return day, usage("signoff.bad-date", "value", f.date)
	}
	return day, nil
}

// verify decides the case that the flags name.
func (f *caseFlags) verify(ctx context.Context, s *streams) (v *bundle.Verification, err error) {
	err = f.verifyWith(ctx, s, func(made *bundle.Verification, _ checks.History) error { v = made; return nil })
	return v, err
}

// verifyWith decides the case that the flags name, and hands it on while the
// clone is open.
func (f *caseFlags) verifyWith(ctx context.Context, s *streams, use func(*bundle.Verification, checks.History) error) error {
	if err := f.check(); err != nil {
		return err
	}
	day, err := f.day()
	if err != nil {
		return err
	}
	evidence, err := f.readEvidence()
	if err != nil {
		return err
	}
	body, err := f.signOff(s)
	if err != nil {
		return err
	}
	w, err := bot.OpenWorkspace(ctx, f.repo)
	if err != nil {
		return err
	}
	defer w.Close()
	history, ok := w.History()
	if !ok {
		return usage("signoff.no-clone")
	}
	change, err := w.Change(ctx, f.base, f.head)
	if err != nil {
		return err
	}
	c := checks.Case{
		Repository: f.repository, PR: f.pr, Base: change.Base.Commit, Target: change.Base.Commit, Head: change.Head.Commit,
		SignOff: body, Signer: f.signer, Association: strings.ToUpper(f.association), Date: day,
	}
	if c.Association == "" && c.Signer != "" {
		c.Association = evidence.Association(c.Signer)
	}
	if c.Repository == "" {
		c.Repository = evidence.Repository()
	}
	v, err := bundle.Verify(ctx, checks.Standard(), c, f.era, given.Source{Documents: evidence}, history)
	if err != nil {
		return err
	}
	return use(v, history)
}

// signOff reads the body; nil where none is given. Any text is judged: only a
// verdict never is a sign-off, whatever it quotes.
func (f *caseFlags) signOff(s *streams) (*checks.SignOff, error) {
	var data []byte
	var err error
	switch f.body {
	case "":
		return nil, nil
	case "-":
		data, err = io.ReadAll(io.LimitReader(s.in, signoff.MaxBody+1))
	default:
		data, err = readInput(f.body)
	}
	if err != nil {
		return nil, err
	}
	body := strings.ToValidUTF8(string(data), "\uFFFD")
	if strings.HasPrefix(body, signoff.Marker) {
		return nil, diag.New("signoff.not-a-signoff", diag.Place{File: f.body}, "why", "it begins with the marker of a verdict")
	}
	return &checks.SignOff{Kind: checks.ConversationComment, Body: body}, nil
}

// readEvidence reads the evidence files in their order.
func (f *caseFlags) readEvidence() (*given.Documents, error) {
	reader := &given.Reader{PR: f.pr}
	for _, name := range f.evidence {
		files, err := evidenceFiles(name)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			data, err := readInput(file)
			if err != nil {
				return nil, err
			}
			if err := reader.Read(file, data); err != nil {
				return nil, err
			}
		}
	}
	return reader.Documents()
}
