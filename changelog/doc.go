// Package changelog decides about perf-changelog.yaml: which entries a change
// adds, whether it leaves history alone, and how two changes are merged
// (spec/changelog.md).
//
// Every function is pure: the bytes of the file at two or three revisions go
// in, a decision comes out. There are four questions, from the strictest to
// the most helpful:
//
//   - Strict: may these bytes be merged, to the last blank?
//   - Check: what is wrong with the change, on which line, and which of it
//     could be mended mechanically? Rules are graded.
//   - ExtractAdditions: which entries would the reference's planner read?
//   - Examine: the last two together, what planning needs.
//
// Fix, Add, Canonicalize and ResolveConflict produce bytes. Each of them tests
// its own result with Strict before it hands it out.
package changelog
