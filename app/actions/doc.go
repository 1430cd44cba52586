// Package actions is the border to GitHub Actions: what the runner tells us
// (event, run, repository) and what we tell the runner (outputs, summary,
// annotations, masks). It is the only room that knows the environment of a job
// and the library that writes workflow commands.
//
// An event in a job is the payload of a webhook, so that both have one decoder:
// bot.ParseDelivery, below this room and below the server. What is of the job
// alone, its variables, files and commands, is read and written nowhere else.
//
// What comes in is hostile: an event holds texts that anybody may have
// written. It is bounded before it is decoded, and decoded into typed fields.
// What goes out is guarded: no text can become a command or another output
// (spec/security.md, output injection and workflow-command injection).
package actions
