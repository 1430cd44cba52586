package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sweepbot/sweepbot/app/ghapi"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/results/archive"
)

// runFlags say which repository the number of a run belongs to.
type runFlags struct{ repository, api string }

func (f *runFlags) add(c *cobra.Command) {
	c.Flags().StringVarP(&f.repository, "repository", "R", "", "repository of a run as `OWNER/NAME` (default: GITHUB_REPOSITORY)")
	c.Flags().StringVar(&f.api, "api-url", "", "`URL` of the API (default: GITHUB_API_URL, or that of github.com)")
}

// minRun is the least number of digits that is taken for a run and not for an
// abbreviated commit id. Runs have had ten and more for years; with -R any
// number is one.
const minRun = 10

// names reports whether a word is the number of a run.
func (f *runFlags) names(word string) bool {
	_, err := strconv.ParseInt(word, 10, 64)
	return err == nil && (f.repository != "" || len(word) >= minRun && len(word) < 40)
}

// The artifact that holds the plan of a run.
const (
	planArtifact = "sweepbot-plan"
	maxPlanZip   = 16 << 20
)

// plan fetches the plan document of a run.
func (f *runFlags) plan(ctx context.Context, word string) ([]byte, error) {
	run, _ := strconv.ParseInt(word, 10, 64)
	repository := f.repository
	if repository == "" {
		repository = os.Getenv("GITHUB_REPOSITORY")
	}
	owner, name, ok := strings.Cut(repository, "/")
	if !ok || owner == "" || name == "" || strings.Contains(name, "/") {
		return nil, usage("usage.bad-choice", "option", "--repository", "value", repository, "choices", "OWNER/NAME")
	}
	address := f.api
	if address == "" {
		address = os.Getenv("GITHUB_API_URL")
	}
	client, err := ghapi.New(ctx, ghapi.Options{Token: os.Getenv("GITHUB_TOKEN"), BaseURL: address})
	if err != nil {
		return nil, err
	}
	gh := client.Repository(owner, name)
	artifacts, err := gh.Artifacts(ctx, run)
	if err != nil {
		return nil, err
	}
	newest := int64(0)
	for _, a := range artifacts {
		if a.Name == planArtifact && !a.Expired && a.ID > newest {
			newest = a.ID
		}
	}
	if newest == 0 {
		return nil, diag.New("recipe.run-without-plan", diag.Place{}, "run", word)
	}
	zip, err := gh.OpenArtifact(ctx, newest)
	if err != nil {
		return nil, err
	}
	defer zip.Close()
	data, err := io.ReadAll(io.LimitReader(zip, maxPlanZip+1))
	if err != nil {
		return nil, err
	}
	return planIn(data, word)
}

// planIn takes the plan document out of an artifact.
func planIn(data []byte, run string) ([]byte, error) {
	if len(data) > maxPlanZip {
		return nil, diag.New("recipe.plan-unreadable", diag.Place{File: planArtifact}, "detail", "too large")
	}
	limits := archive.DefaultLimits()
	limits.File, limits.Total = maxInput, 2*maxInput
	content, err := archive.OpenZip(bytes.NewReader(data), int64(len(data)), limits)
	if err != nil {
		return nil, err
	}
	for _, file := range content.Files() {
		if file.Name != planName {
			continue
		}
		in, err := content.Open(file.Name)
		if err != nil {
			return nil, err
		}
		defer in.Close()
		return io.ReadAll(in)
	}
	return nil, diag.New("recipe.run-without-plan", diag.Place{}, "run", run)
}
