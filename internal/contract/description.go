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
)

// The published description.
const (
	npmPackage = "@octokit/openapi@23.0.2"
	integrity  = "sha512-pV8M7L9GY23AybNvTmo2nyjmpmnt6+2sRE/tqr0ZLQcPS4lnw7u5eZGNmwRNkBC3D7gZXbFx5AHzLUVRBXGDhg=="
	member     = "package/generated/api.github.com.json"
)

// maxDescription bounds the description in bytes.
const maxDescription = 64 << 20

// Description returns the bytes of GitHub's description, from the cache or from
// the registry. ctx bounds the fetching.
func Description(ctx context.Context, cache string) ([]byte, error) {
	kept := filepath.Join(cache, "api.github.com.json")
	if data, err := os.ReadFile(kept); err == nil {
		return data, nil
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return nil, err
	}
	data, err := fetch(ctx, cache)
	if err != nil {
		return nil, err
	}
	return data, os.WriteFile(kept, data, 0o644)
}

// fetch gets the package with npm, which runs nothing of it, checks it and
// takes out the one file.
func fetch(ctx context.Context, cache string) ([]byte, error) {
	dir, err := os.MkdirTemp(cache, "npm-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	cmd := exec.CommandContext(ctx, "npm", "pack", "--silent", "--ignore-scripts", npmPackage)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("npm pack %s: %w: %s", npmPackage, err, out)
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
	if err := check(archive); err != nil {
		return nil, err
	}
	return extract(archive)
}

// check compares an archive with the pinned integrity and rewinds it.
func check(archive io.ReadSeeker) error {
	sum := sha512.New()
	if _, err := io.Copy(sum, archive); err != nil {
		return err
	}
	if got := "sha512-" + base64.StdEncoding.EncodeToString(sum.Sum(nil)); got != integrity {
		return fmt.Errorf("%s has integrity %s, not the pinned one", npmPackage, got)
	}
	_, err := archive.Seek(0, io.SeekStart)
	return err
}

// extract reads the description out of the package.
func extract(archive io.Reader) ([]byte, error) {
	plain, err := gzip.NewReader(archive)
	if err != nil {
		return nil, err
	}
	files := tar.NewReader(plain)
	for {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("%s has no %s", npmPackage, member)
		}
		if err != nil {
			return nil, err
		}
		if header.Name == member {
			return io.ReadAll(io.LimitReader(files, maxDescription))
		}
	}
}
