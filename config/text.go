package config

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sweepbot/sweepbot/internal/pattern"
)

// textKind is a form of text that a value must have. Texts of the settings
// become paths that are read, labels that are compared and words that stand
// in commands, so each form is closed: what it does not name is refused.
type textKind struct {
	name    string // singular, for people
	plural  string
	code    string // of the finding
	empty   bool   // "" is a value, usually "the repository has none"
	pattern string // an approximation for editors, in JSON Schema
	valid   func(string) bool
}

// The forms.
var (
	kindPath       = textKind{name: "path", plural: "paths", code: "config.bad-path", pattern: pathPattern, valid: validPath}
	kindFolder     = textKind{name: "path or empty", plural: "paths", code: "config.bad-path", empty: true, pattern: pathPattern, valid: validPath}
	kindTemplate   = textKind{name: "path, may contain {dir}", code: "config.bad-path", empty: true, pattern: templatePattern, valid: validTemplate}
	kindLaunch     = textKind{name: "path, may contain placeholders", plural: "paths, may contain placeholders", code: "config.bad-path", empty: true, pattern: templatePattern, valid: validLaunch}
	kindLabel      = textKind{name: "label", plural: "labels", code: "config.bad-label", pattern: `^\S(.*\S)?$`, valid: validLabel}
	kindMaybeLabel = textKind{name: "label or empty", code: "config.bad-label", empty: true, pattern: `^(\S(.*\S)?)?$`, valid: validLabel}
	kindMarker     = textKind{name: "text", code: "config.bad-label", pattern: `^\S(.*\S)?$`, valid: validLabel}
	kindWorkflow   = textKind{name: "workflow file name", code: "config.bad-workflow", pattern: workflowExpr, valid: validWorkflow}
	kindMaybeFlow  = textKind{name: "workflow file name or empty", code: "config.bad-workflow", empty: true, pattern: `^$|` + workflowExpr, valid: validWorkflow}
	kindRepository = textKind{name: "owner/name", code: "config.bad-repository", pattern: repositoryExpr, valid: validRepository}
	kindMaybeRepo  = textKind{name: "owner/name or empty", code: "config.bad-repository", empty: true, pattern: `^$|` + repositoryExpr, valid: validRepository}
	kindSite       = textKind{name: "https address or empty", code: "config.bad-site", empty: true, pattern: `^$|` + siteExpr, valid: validSite}
	kindBranch     = textKind{name: "branch", code: "config.bad-branch", pattern: branchExpr, valid: validBranch}
	kindLogin      = textKind{name: "login", plural: "logins", code: "config.bad-login", pattern: loginExpr, valid: validLogin}
	kindMaybeTeam  = textKind{name: "@org/team or empty", code: "config.bad-team", empty: true, pattern: `^$|` + teamExpr, valid: validTeam}
	kindMember     = textKind{name: "@org/team:login", plural: "@org/team:login", code: "config.bad-team", pattern: memberExpr, valid: validMember}
	kindWord       = textKind{name: "word", plural: "words", code: "config.bad-word", pattern: wordExpr, valid: validWord}
	kindMaybeWord  = textKind{name: "word or empty", code: "config.bad-word", empty: true, pattern: `^$|` + wordExpr, valid: validWord}
	kindMount      = textKind{name: "SOURCE:FOLDER or empty", code: "config.bad-mount", empty: true, pattern: `^$|` + mountExpr, valid: validMount}
)

// The patterns of paths are looser than validPath: editors only need to catch
// the usual slips.
const (
	pathPattern     = `^[^/\\:*?"<>|{}]*(/[^/\\:*?"<>|{}]+)*$`
	templatePattern = `^[^\\:*?"<>|]*$`
)

const (
	workflowExpr   = `^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}\.ya?ml$`
	repositoryExpr = `^[A-Za-z0-9](-?[A-Za-z0-9]){0,38}/[A-Za-z0-9._-]{1,100}$`
	branchExpr     = `^[A-Za-z0-9_][A-Za-z0-9_./-]{0,199}$`
	siteExpr       = `^https?://[A-Za-z0-9]([A-Za-z0-9.-]{0,200}[A-Za-z0-9])?(:[0-9]{1,5})?(/[A-Za-z0-9._~-]+)*/?$`
	loginExpr      = `^[A-Za-z0-9](-?[A-Za-z0-9]){0,38}(\[bot\])?$`
	teamExpr       = `^@[A-Za-z0-9](-?[A-Za-z0-9]){0,38}/[A-Za-z0-9._-]{1,100}$`
	memberExpr     = `^@[A-Za-z0-9](-?[A-Za-z0-9]){0,38}/[A-Za-z0-9._-]{1,100}:[A-Za-z0-9](-?[A-Za-z0-9]){0,38}$`
	mountExpr      = `^[A-Za-z0-9_./@-]{1,200}:/[A-Za-z0-9_./@-]{1,200}$`
	wordExpr       = `^[A-Za-z0-9][A-Za-z0-9._+-]{0,99}$`
)

var (
	workflowForm   = pattern.Lazy(workflowExpr)
	repositoryForm = pattern.Lazy(repositoryExpr)
	siteForm       = pattern.Lazy(siteExpr)
	branchForm     = pattern.Lazy(branchExpr)
	mountForm      = pattern.Lazy(mountExpr)
	wordForm       = pattern.Lazy(wordExpr)
	loginForm      = pattern.Lazy(loginExpr)
	teamForm       = pattern.Lazy(teamExpr)
	memberForm     = pattern.Lazy(memberExpr)
)

const (
	maxPath  = 512
	maxLabel = 50 // characters, GitHub's own limit
	// notInPaths are the characters that some file system, git's pathspecs or
	// a reader's wish for wildcards gives a meaning of its own.
	notInPaths = `\:*?"<>|{}`
)

// validPath reports whether p is a relative, slash-separated, clean path that
// stays inside the tree and outside of git's own folder.
func validPath(p string) bool {
	if len(p) > maxPath || !printable(p) || strings.ContainsAny(p, notInPaths) {
		return false
	}
	if p == "." || path.Clean(p) != p || path.IsAbs(p) || p[0] == '-' {
		return false
	}
	for _, part := range strings.Split(p, "/") {
		if part == ".." || strings.EqualFold(part, ".git") {
			return false
		}
	}
	return true
}

// validTemplate is validPath with {dir} allowed as a part of the path.
func validTemplate(p string) bool {
	return validPath(strings.ReplaceAll(p, "{dir}", "dir"))
}

// launchPlaceholders are the parts of a launch path that a row fills in.
var launchPlaceholders = strings.NewReplacer("{length}", "x", "{nodes}", "x", "{prefix}", "x", "{scenario}", "x", "{model}", "x",
	"{precision}", "x", "{sku}", "x", "{framework}", "x", "{spec}", "x")

// validLaunch is validPath with the placeholders of launch paths.
func validLaunch(p string) bool { return validPath(launchPlaceholders.Replace(p)) }

func validLabel(s string) bool {
	return utf8.RuneCountInString(s) <= maxLabel && printable(s) && strings.TrimSpace(s) == s
}

func validWorkflow(s string) bool { return workflowForm().MatchString(s) }

func validLogin(s string) bool { return loginForm().MatchString(s) }

func validTeam(s string) bool { return teamForm().MatchString(s) }

func validMember(s string) bool { return memberForm().MatchString(s) }

// validMount takes what a launcher passes on as a mount: no commas, which
// separate mounts, and no variables.
func validMount(s string) bool { return mountForm().MatchString(s) && !strings.Contains(s, "..") }

func validWord(s string) bool { return wordForm().MatchString(s) }

func validRepository(s string) bool {
	_, name, _ := strings.Cut(s, "/")
	return repositoryForm().MatchString(s) && name != "." && name != ".."
}

// validSite takes the root of a site: no user, no query, no fragment, so that
// a path can be put behind it and nothing in it means anything to Markdown.
func validSite(s string) bool {
	return len(s) <= maxPath && siteForm().MatchString(s) && !strings.Contains(s, "..")
}

func validBranch(s string) bool {
	if !branchForm().MatchString(s) || strings.Contains(s, "..") || strings.Contains(s, "//") {
		return false
	}
	return !strings.HasSuffix(s, "/") && !strings.HasSuffix(s, ".") && !strings.HasSuffix(s, ".lock")
}

// printable refuses control characters and the invisible formatting ones that
// can make a text look like another. The joiner of emoji is neither.
func printable(s string) bool {
	const joiner = '\u200d'
	for _, r := range s {
		if r != joiner && !unicode.IsPrint(r) || r == utf8.RuneError {
			return false
		}
	}
	return true
}

// check reports whether s has the form.
func (k *textKind) check(s string) bool {
	if s == "" {
		return k.empty
	}
	return k.valid(s)
}
