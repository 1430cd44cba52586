// Package results turns what the jobs of a sweep upload into rows, coverage and
// judgements (spec/results.md).
//
// Artifacts are hostile data: each is read within limits, held against its
// contract, and refused by itself, so that one broken artifact never costs
// another one its place. What is wrong is reported as findings; nothing is
// guessed, silently dropped or counted twice.
//
// The package is pure. It gets archives as io.ReaderAt or folders as fs.FS,
// facts about artifacts and jobs as values, and returns values. Sub-packages
// hold what stands alone: document (JSON), archive (zip), pareto (curves) and
// failure (why a point failed, and whether to run it again).
package results
