// Package report is the account of a sweep for people and machines: what was
// planned and what became of it, the measurements, the evals with their
// judgement, what failed and why, the comparison with the default branch, and
// the Pareto curves old against new (spec/results.md section 12).
//
// There is one model (Report) and one way to make it (Build). Everything shown
// is rendered from the model alone: Markdown for step summaries and comments,
// one self-contained HTML page, CSV, JSON, and plots. The same model always
// gives the same bytes. All texts that come from artifacts are hostile and are
// made inert by the renderer that shows them.
package report
