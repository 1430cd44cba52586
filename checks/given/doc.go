// Package given reads evidence from files: the API's own JSON, in one layout
// that bundles have too, or as single answers that are recognised by their
// shape (docs/signoff.md). A check whose evidence is not among them is
// UNAVAILABLE; nothing is ever assumed.
//
// Files are hostile. Their size is bounded before they are decoded, everything
// in them is data, and what is wrong is a finding with file, line and column.
//
//	documents.go  what evidence holds, and its JSON layout
//	source.go     evidence as a checks.Source
//	value.go      JSON values with their places
//	layout.go     reading a document in the layout
//	shape.go      recognising single answers of the API
//	archive.go    zip archives of evidence files
package given
