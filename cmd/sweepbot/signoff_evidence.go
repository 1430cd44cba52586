package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// maxEvidenceFiles is how many files of a folder are read.
const maxEvidenceFiles = 10_000

// evidenceFiles are the files that a name on the command line stands for: of a
// folder, its JSON files and archives at any depth, by name. Links are not
// followed.
func evidenceFiles(name string) ([]string, error) {
	info, err := os.Stat(name)
	if err != nil || !info.IsDir() {
		return []string{name}, err
	}
	var files []string
	err = filepath.WalkDir(name, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if ext := filepath.Ext(path); d.Type().IsRegular() && (ext == ".json" || ext == ".zip") {
			files = append(files, path)
		}
		if len(files) > maxEvidenceFiles {
			return diag.New("checks.bundle-entries", diag.Place{File: name}, "limit", "10000").In("unreadable")
		}
		return nil
	})
	slices.Sort(files)
	return files, err
}
