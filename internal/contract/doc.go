// Package contract holds the sandbox, the client and the readers of events
// against what GitHub publishes about its API: every answer of a tour through
// all operations that the sandbox has, every webhook that follows from it,
// every request of the client, and the published examples of webhooks.
//
// What GitHub publishes are three npm packages at fixed versions and integrity:
// @octokit/openapi, @octokit/openapi-webhooks and @octokit/webhooks-examples.
// They are fetched at test time and kept in the folder .cache, which git
// ignores. Without them the tests skip, unless SWEEPBOT_CONTRACT=1 says that
// they must run.
//
// The package is a module of its own: the validator does not build together
// with the linters of the tools module.
package contract
