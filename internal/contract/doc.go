// Package contract holds the sandbox against GitHub's published description of
// its API: every answer of a tour through all operations that the sandbox has,
// and every webhook that follows from it.
//
// The description is the npm package @octokit/openapi at a fixed version and
// integrity. It is fetched at test time and kept in the folder .cache, which git
// ignores; each run cuts it down to what the sandbox has. Without it the tests
// skip, unless SWEEPBOT_CONTRACT=1 says that they must run.
//
// The package is a module of its own: the validator does not build together
// with the linters of the tools module.
package contract
