//go:build race

package shell

// underRace says that the race detector is on. It drops what a sync.Pool holds
// at random, so that regular expressions allocate their machines anew: what is
// allocated then says nothing about us.
const underRace = true
