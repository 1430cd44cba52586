//go:build !race

package shell

// underRace says that the race detector is on.
const underRace = false
