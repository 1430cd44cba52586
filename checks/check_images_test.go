package checks

import (
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/config"
)

// TestImages has the examples of spec/checks.md, check 6, and the causes I1 and
// I2 of spec/verdict-causes.md.
func TestImages(t *testing.T) {
	const cuda = "lmsysorg/sglang:v0.5.22-cu130"
	digest := "@sha256:" + strings.Repeat("ab", 32)
	sg := func(key, image, framework, runner string) entry {
		return entry{key: key, image: image, framework: framework, runner: runner}
	}
	for name, c := range map[string]struct {
		base  []entry
		head  []entry
		extra map[string]string
		body  string
		era   string
		set   func(*config.Settings)
		// noPolicy takes the model policy document away.
		noPolicy bool
		want     string
	}{
		"upstream image": {
			head: []entry{{key: "a", image: "docker.io#vllm/vllm-openai:nightly-ab12" + digest}},
			want: "PASS — a uses vllm/vllm-openai:nightly-ab12 (digest-pinned).",
		},
		"two entries with one image": {
			head: []entry{sg("a", cuda, "sglang", "b200"), sg("b", cuda, "sglang", "b200"), sg("c", "lmsysorg/sglang:v1", "sglang", "b200")},
			want: "PASS — a, b use " + cuda + "; c uses lmsysorg/sglang:v1.",
		},
		"foreign image": {
			head: []entry{sg("a", "rocm/sgl-dev:v0.5.18", "sglang", "mi355x")}, body: signed("fine"),
			want: "FAIL — a runs rocm/sgl-dev:v0.5.18; established hardware needs an lmsysorg image and no exception is documented.",
		},
		"foreign image, claim of an exception": {
			head: []entry{sg("a", "rocm/sgl-dev:v0.5.18", "sglang", "mi355x")}, body: signed("rocm/sgl-dev:v0.5.18 is an exception, see above"),
			want: "WARN — needs human review: a runs rocm/sgl-dev:v0.5.18; established hardware needs an lmsysorg image and no exception is documented, but the additional detail section claims an exception.",
		},
		"foreign image, no body": {
			head: []entry{sg("a", "rocm/sgl-dev:v0.5.18", "sglang", "mi355x")},
			want: "UNAVAILABLE — a runs rocm/sgl-dev:v0.5.18; established hardware needs an lmsysorg image and no exception is documented; whether the sign-off claims an exception was not given.",
		},
		"foreign image on new hardware": {
			head: []entry{sg("a", "rocm/sgl-dev:v0.5.18", "sglang", "mi455x")}, body: signed("fine"), want: "PASS — a runs rocm/sgl-dev:v0.5.18 on new hardware.",
		},
		"I1 vendor image replaced": {
			base: []entry{sg("a", "rocm/sgl-dev:v0.5.18", "sglang", "mi355x")}, head: []entry{sg("a", cuda, "sglang", "mi355x")}, body: signed("fine"),
			want: "PASS — a uses " + cuda + ".",
		},
		"dynamo with a foreign image": {
			head: []entry{sg("a", "nvcr.io#nvidia/x:1", "dynamo-sglang", "b200")}, body: signed("fine"),
			want: "WARN — needs human review: a (dynamo-sglang) runs nvcr.io/nvidia/x:1, which is no lmsysorg image.",
		},
		"dynamo with a foreign image, strict": {
			head: []entry{sg("a", "nvcr.io#nvidia/x:1", "dynamo-sglang", "b200")}, body: signed("fine"),
			set:  func(s *config.Settings) { s.Checks.OpenSourceImages = config.ImagesFail },
			want: "FAIL — a (dynamo-sglang) runs nvcr.io/nvidia/x:1, which is no lmsysorg image.",
		},
		"I2 sibling": {
			base: []entry{sg("s", cuda, "dynamo-sglang", "b200")}, head: []entry{sg("s", cuda, "dynamo-sglang", "b200"), sg("a", "nvcr.io#nvidia/trt:1", "trt", "b200")},
			body: signed("fine"), want: "PASS — trt is a vendor framework; the open-source entry s already exists for orion2 on b200.",
		},
		"no sibling": {
			head: []entry{sg("a", "nvcr.io#nvidia/trt:1", "trt", "b200")}, body: signed("fine"),
			want: "FAIL — orion2 has no vLLM or SGLang entry on b200; a may not land first.",
		},
		"sibling on other hardware": {
			base: []entry{sg("s", cuda, "sglang", "h100")}, head: []entry{sg("s", cuda, "sglang", "h100"), sg("a", "nvcr.io#nvidia/trt:1", "trt", "b200")},
			body: signed("fine"), want: "FAIL — orion2 has no vLLM or SGLang entry on b200; a may not land first.",
		},
		"sibling in the same change": {
			head: []entry{sg("s", cuda, "sglang", "b200"), sg("a", "nvcr.io#nvidia/trt:1", "trt", "b200")}, body: signed("fine"),
			want: "WARN — needs human review: the open-source entry s for orion2 on b200 lands only with this PR.",
		},
		"sibling under the other prefix": {
			base: []entry{{key: "s", prefix: "glim5.1"}},
			head: []entry{{key: "s", prefix: "glim5.1"}, {key: "a", prefix: "glim5", framework: "trt", image: "nvcr.io#nvidia/trt:1"}}, body: signed("fine"),
			want: "PASS — trt is a vendor framework; the open-source entry s already exists for glim5/glim5.1 on b200.",
		},
		"archived sibling": {
			head: []entry{sg("a", "nvcr.io#nvidia/trt:1", "trt", "b200")}, body: signed("fine"),
			extra: map[string]string{"configs/deprecated/x.yaml": "s:\n  framework: vllm\n  runner: b200-multinode\n  model-prefix: orion2\n"},
			want:  "PASS — a follows the archived open-source entry s for orion2 on b200.",
		},
		"archived sibling, not counted": {
			head: []entry{sg("a", "nvcr.io#nvidia/trt:1", "trt", "b200")}, body: signed("fine"),
			set:   func(s *config.Settings) { s.Checks.ArchivedSiblings = false },
			extra: map[string]string{"configs/deprecated/x.yaml": "s:\n  framework: vllm\n  runner: b200-multinode\n  model-prefix: orion2\n"},
			want:  "FAIL — orion2 has no vLLM or SGLang entry on b200; a may not land first.",
		},
		"vendor engine on new hardware": {
			head: []entry{sg("a", "nvcr.io#nvidia/trt:1", "trt", "mi455x")}, body: signed("fine"), want: "PASS — a is on new hardware.",
		},
		"August: an entry under Dynamo may be first": {
			era: "2026-08", head: []entry{sg("a", cuda, "dynamo-sglang", "b200")}, body: signed("fine"),
			want: "PASS — a uses " + cuda + ".",
		},
		"August: an entry under Dynamo beside another": {
			era: "2026-08", base: []entry{sg("s", cuda, "dynamo-sglang", "b200")}, body: signed("fine"),
			head: []entry{sg("s", cuda, "dynamo-sglang", "b200"), sg("a", "vllm/vllm-openai:v0.30.0", "dynamo-vllm", "b200")},
			want: "PASS — a uses vllm/vllm-openai:v0.30.0; the open-source entry s already exists for orion2 on b200.",
		},
		"August: Dynamo around a vendor's engine": {
			era: "2026-08", head: []entry{sg("a", "nvcr.io#nvidia/trt:1", "dynamo-trt", "b200")}, body: signed("fine"),
			want: "FAIL — orion2 has no vLLM or SGLang entry on b200; a may not land first.",
		},
		"sibling of another version, no policy yet": {
			base: []entry{{key: "s", prefix: "glim5.1"}}, noPolicy: true,
			head: []entry{{key: "s", prefix: "glim5.1"}, {key: "a", prefix: "glim5", framework: "trt", image: "nvcr.io#nvidia/trt:1"}}, body: signed("fine"),
			want: "PASS — trt is a vendor framework; the open-source entry s already exists for glim5 on b200.",
		},
		"sibling of another name, no policy yet": {
			base: []entry{{key: "s", prefix: "glim52"}}, noPolicy: true,
			head: []entry{{key: "s", prefix: "glim52"}, {key: "a", prefix: "glim5", framework: "trt", image: "nvcr.io#nvidia/trt:1"}}, body: signed("fine"),
			want: "FAIL — glim5 has no vLLM or SGLang entry on b200; a may not land first.",
		},
		"sibling of another version, not in its row": {
			base: []entry{{key: "s", prefix: "orion2.1"}},
			head: []entry{{key: "s", prefix: "orion2.1"}, {key: "a", framework: "trt", image: "nvcr.io#nvidia/trt:1"}}, body: signed("fine"),
			want: "FAIL — orion2 has no vLLM or SGLang entry on b200; a may not land first.",
		},
		"selected but unchanged": {base: []entry{{key: "a"}}, head: []entry{{key: "a"}}, want: "N/A — no master-config entry is added or changed."},
		"fewer points":           {base: []entry{{key: "a"}}, head: []entry{{key: "a", conc: []int{4}}}, want: "N/A — no master-config entry is added or changed."},
	} {
		base := repo(old, c.base...)
		if !c.noPolicy {
			base["docs/MODELS.md"] = policyFile
		}
		for file, text := range c.extra {
			base[file] = text
		}
		log := old + logged("*")
		if name == "fewer points" {
			log = old
		}
		r := situation{base: base, head: repo(log, c.head...), body: c.body, era: c.era, settings: c.set}.decide(t, Images())
		if got := row(r); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
	}
}
