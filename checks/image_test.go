package checks

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestParseImage(t *testing.T) {
	digest := strings.Repeat("a1", 32)
	for value, want := range map[string]ImageRef{
		"vllm/vllm-openai:v0.11":                               {Repository: "vllm/vllm-openai", Tag: "v0.11"},
		" docker://docker.io/vllm/vllm-openai:v0.11":           {Repository: "vllm/vllm-openai", Tag: "v0.11"},
		"docker.io#vllm/vllm-openai:n@sha256:" + digest:        {Repository: "vllm/vllm-openai", Tag: "n", Digest: "sha256:" + digest},
		"nvcr.io#nvidia/x:1":                                   {Host: "nvcr.io", Repository: "nvidia/x", Tag: "1"},
		"nvcr.io/nvidia/Tool":                                  {Host: "nvcr.io", Repository: "nvidia/tool"},
		"localhost:5000/a/b":                                   {Host: "localhost:5000", Repository: "a/b"},
		"lmsysorg/sglang@sha256:" + strings.ToUpper(digest):    {Repository: "lmsysorg/sglang", Digest: "sha256:" + digest},
		"lmsysorg/sglang:v1@sha256:short":                      {Repository: "lmsysorg/sglang:v1@sha256", Tag: "short"},
		"dynamo-sglang":                                        {Repository: "dynamo-sglang", Alias: true},
		"index.docker.io/rocm/sgl-dev:v0.5.18-rocm700-mi35x-2": {Repository: "rocm/sgl-dev", Tag: "v0.5.18-rocm700-mi35x-2"},
	} {
		if diff := cmp.Diff(want, ParseImage(value), cmpopts.IgnoreUnexported(ImageRef{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", value, diff)
		}
	}
}

func TestSameImage(t *testing.T) {
	a, b := strings.Repeat("a", 64), strings.Repeat("b", 64)
	for _, c := range []struct {
		x, y           string
		same, oneSided bool
	}{
		{"x/y:1", "docker.io#x/y:1", true, false},
		{"x/y:1", "X/Y:1", true, false},
		{"x/y:v", "x/y:V", false, false},
		{"x/y:1@sha256:" + a, "x/y:2@sha256:" + a, true, false},
		{"x/y:1@sha256:" + a, "x/y:1@sha256:" + b, false, false},
		{"x/y:1@sha256:" + a, "x/y:1", true, true},
		{"nvcr.io/x/y:1", "x/y:1", false, false},
	} {
		if same, oneSided := ParseImage(c.x).Same(ParseImage(c.y)); same != c.same || oneSided != c.oneSided {
			t.Errorf("%s and %s: same %v, one-sided %v", c.x, c.y, same, oneSided)
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
