// Package ghapi speaks to GitHub's REST API. It is the only room that knows
// the client library and the ways to prove an identity; handlers see the
// interfaces of package bot.
//
// A call goes through one pipeline, in this order:
//
//	client library   paths, bodies, decoding
//	merge            equal reads at the same time become one
//	perform          tries, pauses between them, what is safe to repeat
//	limits           GitHub's quotas and our own, smaller ones
//	cache            conditional requests, keyed by identity
//	identity         token, installation token or signed App token
//	wire             the one host, byte limits, counting
//
// The library's own memory of rate limits is starved on purpose: it never sees
// a limit, since it would refuse later calls by itself and cannot wait
// (docs/github-client.md).
package ghapi
