// Package archive reads the zip archives of artifacts, and downloaded artifact
// folders, as hostile data (spec/security.md S53).
//
// It has its own reader of the zip directory because every limit has to hold
// before memory is taken: the number of entries, the length of the directory,
// the size that entries claim and the size they really have. An archive that
// breaks a rule is refused as a whole; other archives are not touched by that.
package archive
