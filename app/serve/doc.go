// Package serve is sweepbot as a GitHub App: it takes webhooks, puts them into
// a bounded queue, and has one worker for every repository hand them to the
// handlers of package bot, in the order in which they came.
//
// The queue is in memory. A delivery that is answered with 202 is lost when the
// process dies before its turn; GitHub's delivery log keeps it, and every
// handler may safely see it again. A durable store comes later (DESIGN.md
// section 4).
package serve
