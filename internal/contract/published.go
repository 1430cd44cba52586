package contract

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Published is one file of a package of the npm registry.
type Published struct {
	// Package is name@version, Integrity what the registry says of its archive.
	Package, Integrity string
	// Member is the file inside the archive, Kept its name in the cache.
	Member, Kept string
}

// What GitHub publishes about its API, at fixed versions.
var (
	// API describes the REST operations, in OpenAPI 3.0.
	API = Published{
		"@octokit/openapi@23.0.2", "sha512-pV8M7L9GY23AybNvTmo2nyjmpmnt6+2sRE/tqr0ZLQcPS4lnw7u5eZGNmwRNkBC3D7gZXbFx5AHzLUVRBXGDhg==",
		"package/generated/api.github.com.json", "openapi-23.0.2.json",
	}
	// Webhooks describes the payloads of webhooks, in OpenAPI 3.1.
	Webhooks = Published{
		"@octokit/openapi-webhooks@12.1.0", "sha512-Z5eDsLCUNbx1zHpZb1LNQirADqdMTvWJQ/deahi0ws+tWWnwHXB+Pr4jfmM9OrETS9Y5iW8ZRu1fdbudObhLrg==",
		"package/generated/api.github.com.json", "openapi-webhooks-12.1.0.json",
	}
	// Examples are payloads of webhooks, by event.
	Examples = Published{
		"@octokit/webhooks-examples@7.6.1", "sha512-De6U3XB6O3DtCa7bKgCMzTHdeopqqZ6SNivMYJnK65ierKL1AnNIA0tkRYCRS7lwGT792d+Ps1WbfHlso6MynQ==",
		"package/api.github.com/index.json", "webhooks-examples-7.6.1.json",
	}
)

// maxPublished bounds a file in bytes.
const maxPublished = 64 << 20

// Read returns the bytes of the file, from the cache or from the registry. ctx
// bounds the fetching.
func (p Published) Read(ctx context.Context, cache string) ([]byte, error) {
	kept := filepath.Join(cache, p.Kept)
	if data, err := os.ReadFile(kept); err == nil {
		return data, nil
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(cache, "npm-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	data, err := p.fetch(ctx, dir)
	if err != nil {
		return nil, err
	}
	// Renamed when it is complete: a broken file would stay in the cache.
	part := filepath.Join(dir, p.Kept)
	if err := os.WriteFile(part, data, 0o644); err != nil {
		return nil, err
	}
	return data, os.Rename(part, kept)
}

// fetch gets the package with npm, which runs nothing of it, checks it and
// takes out the one file.
func (p Published) fetch(ctx context.Context, dir string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "npm", "pack", "--loglevel=error", "--ignore-scripts", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000", p.Package)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		text := strings.Join(strings.Fields(string(out)), " ")
		return nil, fmt.Errorf("npm pack %s: %w: %s", p.Package, err, text[:min(len(text), 300)])
	}
	archives, err := filepath.Glob(filepath.Join(dir, "*.tgz"))
	if err != nil || len(archives) != 1 {
		return nil, fmt.Errorf("npm left %d archives", len(archives))
	}
	archive, err := os.Open(archives[0])
	if err != nil {
		return nil, err
	}
	defer archive.Close()
	if err := p.check(archive); err != nil {
		return nil, err
	}
	return p.extract(archive)
}

// check compares an archive with the pinned integrity and rewinds it.
func (p Published) check(archive io.ReadSeeker) error {
	sum := sha512.New()
	if _, err := io.Copy(sum, archive); err != nil {
		return err
	}
	if got := "sha512-" + base64.StdEncoding.EncodeToString(sum.Sum(nil)); got != p.Integrity {
		return fmt.Errorf("%s has integrity %s, not the pinned one", p.Package, got)
	}
	_, err := archive.Seek(0, io.SeekStart)
	return err
}

// extract reads the file out of the package.
func (p Published) extract(archive io.Reader) ([]byte, error) {
	plain, err := gzip.NewReader(archive)
	if err != nil {
		return nil, err
	}
	files := tar.NewReader(plain)
	for {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("%s has no %s", p.Package, p.Member)
		}
		if err != nil {
			return nil, err
		}
		if header.Name != p.Member {
			continue
		}
		if header.Size > maxPublished {
			return nil, fmt.Errorf("%s in %s has %d bytes", p.Member, p.Package, header.Size)
		}
		return io.ReadAll(files)
	}
}
