package results

import (
	"strings"

	"github.com/sweepbot/sweepbot/internal/pattern"
)

// Image is a container image reference in its parts (spec/checks.md section
// 1.5).
type Image struct {
	// Registry is "" for Docker Hub; Repository is in lower case.
	Registry, Repository, Tag, Digest string
}

var (
	imageDigest   = pattern.Lazy(`@(sha256:[0-9a-fA-F]{64})$`)
	hubRegistries = []string{"docker.io/", "index.docker.io/", "registry-1.docker.io/"}
)

// ParseImage reads a reference, with the spellings of the launchers.
func ParseImage(reference string) Image {
	text := strings.TrimPrefix(strings.TrimSpace(reference), "docker://")
	text = strings.Replace(text, "#", "/", 1)
	for _, hub := range hubRegistries {
		if rest, ok := strings.CutPrefix(text, hub); ok {
			text = rest
			break
		}
	}
	var out Image
	if m := imageDigest().FindStringSubmatchIndex(text); m != nil {
		out.Digest, text = strings.ToLower(text[m[2]:m[3]]), text[:m[0]]
	}
	if colon := strings.LastIndexByte(text, ':'); colon > strings.LastIndexByte(text, '/') {
		out.Tag, text = text[colon+1:], text[:colon]
	}
	if first, rest, ok := strings.Cut(text, "/"); ok && (strings.ContainsAny(first, ".:") || first == "localhost") {
		out.Registry, text = strings.ToLower(first), rest
	}
	out.Repository = strings.ToLower(text)
	return out
}

// ImageMatch says how far two references name one image.
type ImageMatch uint8

// The matches. OneSided means that only one of them has a digest and the tags
// are equal: a tag may have moved since.
const (
	DifferentImage ImageMatch = iota
	OneSidedImage
	SameImage
)

// CompareImages compares two references.
func CompareImages(a, b string) ImageMatch {
	x, y := ParseImage(a), ParseImage(b)
	if x.Registry != y.Registry || x.Repository != y.Repository {
		return DifferentImage
	}
	if x.Digest != "" && y.Digest != "" {
		if x.Digest == y.Digest {
			return SameImage
		}
		return DifferentImage
	}
	switch {
	case x.Tag != y.Tag:
		return DifferentImage
	case x.Digest != y.Digest:
		return OneSidedImage
	}
	return SameImage
}
