// Package sandbox is an embedded GitHub: good enough to develop against, to
// test with and to teach with. It serves the REST API, git over HTTP, signed
// webhooks, workflow runs with artifacts and logs, and web pages, on a port of
// this machine only. Nothing leaves the process but git children and the
// deliveries to hooks, which must be on this machine too.
//
// State is in memory; repositories are bare ones in a temporary folder. Ids
// come from counters and times from an injected clock, so that two runs of one
// story are equal.
//
// What GitHub refuses, the sandbox refuses (DESIGN.md section 4): tokens have
// the permissions of their kind, pull requests of forks get a read-only token
// and no secrets, the workflow file comes from the merge ref for pull_request
// and from the default branch for comments and dispatches, and what a
// workflow's own token does starts no workflow (known failure F05).
//
// # How the files are named
//
//	state_*.go  what exists and the operations on it
//	git_*.go    bare repositories and the smart protocol
//	flow_*.go   events, workflow files, runs and concurrency
//	rest_*.go   the REST API; rest_doc_*.go are its JSON documents
//	web_*.go    the pages
//	faults*.go  failures on demand
//	people.go   what made-up users do, for stories
//
// The state has one mutex. Every operation on it expects the caller to hold
// it; exported methods and request handlers take it.
package sandbox
