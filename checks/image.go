package checks

import "strings"

// ImageRef is a container image reference, taken apart (spec/checks.md section
// 1.5).
type ImageRef struct {
	// Host is the registry, "" for Docker Hub. Repository is lower case.
	Host, Repository string
	// Tag and Digest are as written, without ":" and "@"; either may be "".
	Tag, Digest string
	// Alias says that the value is no reference but a name that a launcher maps.
	Alias bool
	// text is the reference as people write it.
	text string
}

// ParseImage reads an image of a config. "#" stands for the first "/", as
// enroot writes it.
func ParseImage(value string) ImageRef {
	text := strings.TrimPrefix(strings.TrimSpace(value), "docker://")
	text = strings.Replace(text, "#", "/", 1)
	for _, hub := range []string{"docker.io/", "index.docker.io/", "registry-1.docker.io/"} {
		if rest, ok := strings.CutPrefix(text, hub); ok {
			text = rest
			break
		}
	}
	ref := ImageRef{text: text, Alias: !strings.ContainsAny(text, "/:")}
	rest, digest, _ := strings.Cut(text, "@sha256:")
	if len(digest) == 64 && strings.Trim(strings.ToLower(digest), "0123456789abcdef") == "" {
		ref.Digest = "sha256:" + strings.ToLower(digest)
		ref.text = rest
	} else {
		rest = text
	}
	if colon := strings.LastIndexByte(rest, ':'); colon > strings.LastIndexByte(rest, '/') {
		rest, ref.Tag = rest[:colon], rest[colon+1:]
	}
	if first, more, ok := strings.Cut(rest, "/"); ok && (strings.ContainsAny(first, ".:") || first == "localhost") {
		ref.Host, rest = strings.ToLower(first), more
	}
	ref.Repository = strings.ToLower(rest)
	return ref
}

// String is the reference without a digest.
func (r ImageRef) String() string { return r.text }

// Shown is the reference with a remark that it is pinned by a digest.
func (r ImageRef) Shown() string {
	if r.Digest != "" {
		return r.text + " (digest-pinned)"
	}
	return r.text
}

// Same reports whether two references mean one image. oneSided says that only
// one of them has a digest, so that the tags had to decide.
func (r ImageRef) Same(o ImageRef) (same, oneSided bool) {
	if r.Host != o.Host || r.Repository != o.Repository {
		return false, false
	}
	if r.Digest != "" && o.Digest != "" {
		return r.Digest == o.Digest, false
	}
	return r.Tag == o.Tag, r.Digest != o.Digest
}

// Upstream reports whether the image comes from the engine's own organisation
// on Docker Hub: vllm for vLLM, lmsysorg for SGLang.
func (r ImageRef) Upstream(engine string) bool {
	owner, ok := map[string]string{"vllm": "vllm", "sglang": "lmsysorg"}[engine]
	return ok && r.Host == "" && strings.HasPrefix(r.Repository, owner+"/")
}
