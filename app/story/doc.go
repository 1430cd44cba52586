// Package story acts out whole pull requests on this machine: an embedded
// GitHub with made-up people, sweepbot as its GitHub App behind a real webhook,
// and an engine that runs the points of a sweep with the launchers of the
// sample repository. Each story ends in expectations, so that it is a test of
// everything that takes part in it.
package story
