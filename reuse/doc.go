// Package reuse knows the commands by which a maintainer makes a sweep of a
// pull request the official result, and who may give them (spec/reuse.md).
//
//	command.go    one comment body -> the command in force
//	authorized.go all comments of a pull request -> the command in force
//	validate.go   a run that a command names -> may it be published
//	sweepstale.go the command for a partial sweep
//	stage.go      the staging command
//	blank.go      what counts as a blank and as a digit
package reuse
