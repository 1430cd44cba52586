package contract

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// packed is an archive as the registry has it, with one file.
func packed(t *testing.T, name, content string) (data []byte, integrity string) {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	files := tar.NewWriter(z)
	noError(t, files.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(content))}))
	_, err := files.Write([]byte(content))
	noError(t, err)
	noError(t, files.Close())
	noError(t, z.Close())
	sum := sha512.Sum512(b.Bytes())
	return b.Bytes(), "sha512-" + base64.StdEncoding.EncodeToString(sum[:])
}

// fakeNPM puts a program called npm on the path, which leaves an archive.
func fakeNPM(t *testing.T, archive []byte) {
	t.Helper()
	dir := t.TempDir()
	noError(t, os.WriteFile(filepath.Join(dir, "archive"), archive, 0o644))
	noError(t, os.WriteFile(filepath.Join(dir, "npm"), []byte("#!/bin/sh\ncp '"+dir+"/archive' p.tgz\n"), 0o755))
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

func TestPublishedIsFetchedOnce(t *testing.T) {
	archive, integrity := packed(t, "package/a.json", "{}")
	fakeNPM(t, archive)
	cache := t.TempDir()
	p := Published{"p@1.0.0", integrity, "package/a.json", "a-1.0.0.json"}
	for range 2 {
		data, err := p.Read(t.Context(), cache)
		if err != nil || string(data) != "{}" {
			t.Fatalf("%q, %v", data, err)
		}
		fakeNPM(t, nil) // the cache is enough from here on
	}
	if kept, _ := filepath.Glob(filepath.Join(cache, "*")); len(kept) != 1 {
		t.Errorf("the cache holds %q", kept)
	}
}

func TestPublishedIsRefused(t *testing.T) {
	archive, integrity := packed(t, "package/a.json", "{}")
	for name, tt := range map[string]struct {
		archive []byte
		p       Published
		want    string
	}{
		"other content":  {append(archive, 0), Published{"p@1.0.0", integrity, "package/a.json", "a"}, "not the pinned one"},
		"no such member": {archive, Published{"p@1.0.0", integrity, "package/b.json", "a"}, "has no package/b.json"},
	} {
		fakeNPM(t, tt.archive)
		cache := t.TempDir()
		if _, err := tt.p.Read(t.Context(), cache); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", name, err)
		}
		if kept, _ := filepath.Glob(filepath.Join(cache, "*")); len(kept) != 0 {
			t.Errorf("%s: the cache holds %q", name, kept)
		}
	}
}
