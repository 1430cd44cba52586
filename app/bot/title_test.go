package bot

import (
	"testing"

	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// The forms of spec/labels-and-sweeps.md section 9.3.
func TestTopology(t *testing.T) {
	for row, want := range map[string]string{
		`{"tp":8,"ep":1,"dp-attn":false}`:                                                                        "TP8",
		`{"tp":8,"pp":2,"dcp-size":4,"pcp-size":2,"ep":8,"dp-attn":true}`:                                        "TP8/PP2/DCP4/PCP2/EP8/DPA",
		`{"disagg":true,"prefill":{"num-worker":1,"tp":1,"pp":4},"decode":{"num-worker":3,"tp":4,"dcp-size":4}}`: "1P (TP1/PP4) x 3D (TP4/DCP4)",
		`{"disagg":false,"prefill":{"num-worker":1,"tp":16,"ep":16},"decode":{"num-worker":0,"tp":16}}`:          "(TP16/EP16)",
		`{"disagg":false,"prefill":{"num-worker":2,"tp":4},"decode":{"num-worker":0,"tp":4}}`:                    "2P (TP4)",
	} {
		doc, err := ordjson.Parse([]byte(row))
		if err != nil {
			t.Fatal(err)
		}
		if got := topology(doc); got != want {
			t.Errorf("%s: got %q, want %q", row, got, want)
		}
	}
}

func TestExtrasLeaveOutWhatSaysNothing(t *testing.T) {
	for row, want := range map[string][3]string{
		`{}`: {},
		`{"spec-decoding":"none","kv-offloading":"none"}`:                                    {},
		`{"spec-decoding":"mtp","kv-offloading":"dram","kv-offload-backend":{"name":"x"}}`:   {"mtp", "dram", "x"},
		`{"kv-offloading":"dram","kv-offload-backend":{"name":"default","version":"1.0.0"}}`: {"", "dram", ""},
	} {
		doc, err := ordjson.Parse([]byte(row))
		if err != nil {
			t.Fatal(err)
		}
		spec, mode, backend := extras(doc)
		if got := [3]string{spec, mode, backend}; got != want {
			t.Errorf("%s: got %q, want %q", row, got, want)
		}
	}
}

func TestShortRef(t *testing.T) {
	for ref, want := range map[string]string{
		"main": "main", "0123456789abcdef0123456789abcdef01234567": "0123456789ab",
		"feature/0123456789abcdef0123456789abcdef01234567": "feature/0123456789abcdef0123456789abcdef01234567",
	} {
		if got := shortRef(ref); got != want {
			t.Errorf("%q: got %q, want %q", ref, got, want)
		}
	}
}
