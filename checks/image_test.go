package checks

import (
	"strings"
	"testing"
)

func TestImageText(t *testing.T) {
	digest := "@sha256:" + strings.Repeat("a1", 32)
	for value, want := range map[string]string{
		"docker.io#vllm/vllm-openai:n" + digest: "vllm/vllm-openai:n (digest-pinned)",
		"nvcr.io#nvidia/x:1":                    "nvcr.io/nvidia/x:1",
		"rocm/sgl-dev":                          "rocm/sgl-dev",
		"dynamo-sglang":                         "dynamo-sglang",
	} {
		if got := ParseImage(value).Shown(); got != want {
			t.Errorf("%s is shown as %s, want %s", value, got, want)
		}
		if got := ParseImage(value).Alias; got != (value == "dynamo-sglang") {
			t.Errorf("%s is an alias: %v", value, got)
		}
	}
}

func TestUpstreamImage(t *testing.T) {
	for _, c := range []struct {
		image, engine string
		want          bool
	}{
		{"vllm/vllm-openai:x", "vllm", true},
		{"lmsysorg/sglang-rocm:x", "sglang", true},
		{"rocm/sgl-dev:x", "sglang", false},
		{"ghcr.io/vllm/vllm-openai:x", "vllm", false},
		{"vllmx/vllm-openai:x", "vllm", false},
		{"vllm/vllm-openai:x", "trtllm", false},
	} {
		if got := ParseImage(c.image).Upstream(c.engine); got != c.want {
			t.Errorf("%s for %s: %v", c.image, c.engine, got)
		}
	}
}
