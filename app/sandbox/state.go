package sandbox

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"
)

// doc is a JSON document of the API.
type doc = map[string]any

// state is everything that exists. Callers of its methods hold mu.
type state struct {
	mu  sync.Mutex
	ids ids
	rng *rand.Rand

	users  map[string]*user       // by lower-case login
	repos  map[string]*repository // by lower-case full name
	teams  map[string][]*user     // by slug
	tokens map[string]*identity
	app    *app
	// actions is the account in whose name workflow tokens act.
	actions *app

	hooks      []*hook
	deliveries []*delivery
}

func newState(seed uint64) state {
	return state{
		ids: newIDs(seed), rng: rand.New(rand.NewPCG(seed, 0x5eed)),
		users: make(map[string]*user), repos: make(map[string]*repository),
		teams: make(map[string][]*user), tokens: make(map[string]*identity),
	}
}

// repo returns a repository by its full name, or nil.
func (s *state) repo(fullName string) *repository { return s.repos[strings.ToLower(fullName)] }

// user returns an account by its login, or nil.
func (s *state) user(login string) *user {
	u := s.users[strings.ToLower(login)]
	if u == nil || u.deleted {
		return nil
	}
	return u
}

// repositories returns all repositories by age.
func (s *state) repositories() []*repository {
	var all []*repository
	for _, r := range s.repos {
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b *repository) int { return cmp.Compare(a.id, b.id) })
	return all
}

// repository is a repository with everything in it.
type repository struct {
	id            int64
	owner         *user
	name          string
	private       bool
	defaultBranch string
	created       time.Time
	activity      []activity
	pushed        time.Time
	parent        *repository // of a fork
	git           *bare
	// heads are the tips of branches, tags those of tags.
	heads, tags map[string]string
	roles       map[int64]access // by user id

	labels    []*label
	issues    []*issue // issues and pull requests, by number
	statuses  []*status
	suites    []*suite
	checks    []*check
	workflows []*workflow
	runs      []*run // oldest first
	artifacts []*artifact
	groups    map[string]*group // concurrency groups by lower-case name
	nextIssue int

	pushing sync.Mutex // one push at a time
}

func (r *repository) fullName() string { return r.owner.login + "/" + r.name }

// tip is the commit of the default branch.
func (r *repository) tip() string { return r.heads[r.defaultBranch] }

// issue returns an issue or pull request by its number, or nil.
func (r *repository) issue(number int) *issue {
	i, found := slices.BinarySearchFunc(r.issues, number, func(x *issue, n int) int { return cmp.Compare(x.number, n) })
	if !found {
		return nil
	}
	return r.issues[i]
}

// pull returns a pull request by its number, or nil.
func (r *repository) pull(number int) *issue {
	if x := r.issue(number); x != nil && x.pull != nil {
		return x
	}
	return nil
}

// pulls returns the pull requests, oldest first.
func (r *repository) pulls() []*issue {
	return filter(r.issues, func(x *issue) bool { return x.pull != nil })
}

// run returns a workflow run, or nil.
func (r *repository) run(id int64) *run {
	return find(r.runs, func(x *run) bool { return x.id == id })
}

// filter returns the elements for which keep holds.
func filter[T any](list []T, keep func(T) bool) []T {
	var out []T
	for _, x := range list {
		if keep(x) {
			out = append(out, x)
		}
	}
	return out
}

// find returns the first element for which is holds, or the zero value.
func find[T any](list []T, is func(T) bool) T {
	for _, x := range list {
		if is(x) {
			return x
		}
	}
	var none T
	return none
}

// convert applies f to every element. It never returns nil: an empty list is
// "[]" in JSON.
func convert[T, U any](list []T, f func(T) U) []U {
	out := make([]U, len(list))
	for i, x := range list {
		out[i] = f(x)
	}
	return out
}

// newestFirst returns a reversed copy.
func newestFirst[T any](list []T) []T {
	out := slices.Clone(list)
	slices.Reverse(out)
	return out
}
