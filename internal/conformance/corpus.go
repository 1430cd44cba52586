package conformance

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// Case is one line of cases.jsonl.
type Case struct {
	ID          string              `json:"id"`
	Kind        string              `json:"kind"`
	Base        string              `json:"base"`
	Head        string              `json:"head"`
	Flags       []string            `json:"flags"`
	PR          int                 `json:"pr"`
	Command     string              `json:"command"`
	Args        []string            `json:"args"`
	VariantArgs map[string][]string `json:"variant_args"`
}

// Cases reads the cases of a corpus directory.
func Cases(dir string) ([]Case, error) {
	f, err := os.Open(filepath.Join(dir, "cases.jsonl"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []Case
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c Case
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			return nil, fmt.Errorf("cases.jsonl: %w", err)
		}
		out = append(out, c)
	}
	return out, lines.Err()
}

// Expected reads the result that the reference gave for a case and a flag set.
func Expected(dir, id, flag string) (map[string]any, error) {
	name := filepath.Join(dir, "expected", id+"."+flag+".json.gz")
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	unpacked, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var out map[string]any
	if err := json.NewDecoder(unpacked).Decode(&out); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return out, nil
}
