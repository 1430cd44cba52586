package actions

import (
	"slices"
	"strconv"
	"strings"
)

// Temp is the folder that the runner empties after a job. The error of this
// and of its neighbours is a diag.Finding that names the variable.
func Temp(getenv func(string) string) (string, error) { return one(getenv, "RUNNER_TEMP") }

// Workspace is the folder of the checkout.
func Workspace(getenv func(string) string) (string, error) { return one(getenv, "GITHUB_WORKSPACE") }

// RunnerName is the name of the machine, which is no label of a runner.
func RunnerName(getenv func(string) string) (string, error) { return one(getenv, "RUNNER_NAME") }

func one(getenv func(string) string, name string) (string, error) {
	e := environment{getenv: getenv}
	return e.present(name), e.err
}

// Attempt is the attempt of the run that a job belongs to, a number from 1.
func Attempt(getenv func(string) string) (string, error) {
	e := environment{getenv: getenv}
	return strconv.FormatInt(e.number("GITHUB_RUN_ATTEMPT", "1"), 10), e.err
}

// APIURL is the address of the API that a job asks: with a certificate, or on
// this machine, since a token goes there.
func APIURL(getenv func(string) string) (string, error) {
	e := environment{getenv: getenv}
	return e.address("GITHUB_API_URL", "https://api.github.com"), e.err
}

// Repository is the repository of a job.
func Repository(getenv func(string) string) (owner, name string, err error) {
	e := environment{getenv: getenv}
	owner, name, _ = strings.Cut(e.form("GITHUB_REPOSITORY", repositoryForm()), "/")
	return owner, name, e.err
}

// steering are the variables through which a process reaches later steps of
// its job, or GitHub. Those that begin with ACTIONS_ are of the runner's own
// services.
var steering = []string{"GITHUB_ENV", "GITHUB_PATH", "GITHUB_OUTPUT", "GITHUB_STATE", "GITHUB_STEP_SUMMARY", "GITHUB_TOKEN", "GH_TOKEN"}

// Unsteered is the environment of a job, as NAME=value, for a program that is
// not ours: without what could reach beyond its own step.
func Unsteered(environ []string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(line string) bool {
		name, _, _ := strings.Cut(line, "=")
		return slices.Contains(steering, name) || strings.HasPrefix(name, "ACTIONS_")
	})
}
