// Package jobs is what the jobs of the sweep workflows do: check, gate, plan,
// canary, point, collect, metadata, stats and report. A workflow file only
// says when a job runs and where; everything else is here, so that it can be
// tested without GitHub (spec/labels-and-sweeps.md sections 4 to 10).
//
// Jobs hand things on in three ways: small values as outputs, the plan as an
// artifact whose digest is one of those values, and results as artifacts of
// the names that existing dashboards read.
package jobs
