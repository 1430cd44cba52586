// Package store keeps the results of runs of the default branch, for later runs
// to be compared with: a local SQLite file by default, or a Postgres database by
// its address, which is only ever read. The newest runs come back oldest first,
// so that several of them show how much a point differs from run to run.
package store
