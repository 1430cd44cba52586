package checks

import (
	"strings"

	"github.com/sweepbot/sweepbot/results"
)

// ImageRef is the image of a config entry (spec/checks.md section 1.5).
type ImageRef struct {
	results.Image
	// Alias says that the value is no reference but a name that a launcher maps.
	Alias bool
	value string
}

// ParseImage reads an image of a config.
func ParseImage(value string) ImageRef {
	return ImageRef{Image: results.ParseImage(value), Alias: !strings.ContainsAny(value, "/:#"), value: value}
}

// String is the reference as people write it, without a digest.
func (r ImageRef) String() string {
	text := r.Repository
	if r.Registry != "" {
		text = r.Registry + "/" + text
	}
	if r.Tag != "" {
		text += ":" + r.Tag
	}
	return text
}

// Shown is the reference with a remark that it is pinned by a digest.
func (r ImageRef) Shown() string {
	if r.Digest != "" {
		return r.String() + " (digest-pinned)"
	}
	return r.String()
}

// Same reports whether two references mean one image, as far as their tags tell
// where only one of them has a digest.
func (r ImageRef) Same(o ImageRef) bool {
	return results.CompareImages(r.value, o.value) != results.DifferentImage
}

// Upstream reports whether the image comes from the engine's own organisation
// on Docker Hub: vllm for vLLM, lmsysorg for SGLang.
func (r ImageRef) Upstream(engine string) bool {
	owner, ok := map[string]string{"vllm": "vllm", "sglang": "lmsysorg"}[engine]
	return ok && r.Registry == "" && strings.HasPrefix(r.Repository, owner+"/")
}
