// Package srt reads srt-slurm recipes: YAML files that describe a deployment
// of workers by role, whose values become the command lines of engines
// (spec/checks.md section 1.7, form A, and section 4.3).
//
// A file is one recipe, or a bundle: a base with overrides and zipped
// overrides, of which a selector picks one. Both schemas are read: backend
// blocks with engine tables (schema 1), and roles (schema 2). Every value
// keeps its file and line.
package srt
