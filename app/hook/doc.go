// Package hook receives GitHub's webhooks: it proves who sent a delivery,
// bounds what it reads, drops repeats, and hands the rest on.
//
// It validates signatures itself. The client library's own validation reads
// bodies without a bound, accepts SHA-1 signatures and treats an empty secret
// as "do not check"; none of the three can happen here.
package hook
