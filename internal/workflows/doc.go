// Package workflows tests the workflow files and the Action. It reads them as
// GitHub does: a small evaluator of expressions and a simulation of the job
// graph prove which jobs run for which event and after which failures, and a
// list of rules keeps them safe.
package workflows
