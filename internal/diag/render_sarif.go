package diag

import (
	"io"
	"net/url"
	"strings"

	"github.com/sweepbot/sweepbot/internal/catalog"
)

// The shape of a SARIF 2.1.0 log, as far as findings need it.
type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool       sarifTool     `json:"tool"`
	Language   string        `json:"language"`
	ColumnKind string        `json:"columnKind"`
	Results    []sarifResult `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version,omitempty"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               string     `json:"id"`
	ShortDescription sarifText  `json:"shortDescription"`
	Help             *sarifText `json:"help,omitempty"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	RuleID    string          `json:"ruleId"`
	RuleIndex int             `json:"ruleIndex"`
	Level     string          `json:"level"`
	Message   sarifText       `json:"message"`
	Locations []sarifLocation `json:"locations,omitempty"`
	Related   []sarifLocation `json:"relatedLocations,omitempty"`
}

type sarifLocation struct {
	Physical sarifPhysical  `json:"physicalLocation"`
	Logical  []sarifLogical `json:"logicalLocations,omitempty"`
}

type sarifLogical struct {
	Name string `json:"fullyQualifiedName"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI  string `json:"uri"`
	Base string `json:"uriBaseId"`
}

type sarifRegion struct {
	Line   int `json:"startLine"`
	Column int `json:"startColumn,omitempty"`
}

// WriteSARIF writes findings as a SARIF 2.1.0 log, the format in which code
// scanning takes them. version is that of the program, "" where not known.
func WriteSARIF(w io.Writer, list List, lang catalog.Language, version string) error {
	driver := sarifDriver{Name: "sweepbot", Version: version, Rules: []sarifRule{}}
	results := []sarifResult{}
	index := make(map[string]int)
	for _, f := range list {
		at, known := index[f.Code]
		if !known {
			at = len(driver.Rules)
			index[f.Code] = at
			driver.Rules = append(driver.Rules, sarifRuleOf(f.Code, lang))
		}
		results = append(results, sarifResultOf(f, at, lang))
	}
	data, err := encode(sarifLog{
		Schema:  "https://json.schemastore.org/sarif-2.1.0.json",
		Version: "2.1.0",
		Runs: []sarifRun{{
			Tool: sarifTool{driver}, Language: sarifLanguage(lang), ColumnKind: "unicodeCodePoints", Results: results,
		}},
	}, "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

func sarifLanguage(lang catalog.Language) string {
	if lang == catalog.Chinese {
		return "zh-CN"
	}
	return "en-US"
}

// sarifRuleOf describes a rule by its texts, with their placeholders.
func sarifRuleOf(code string, lang catalog.Language) sarifRule {
	rule := sarifRule{ID: code, ShortDescription: sarifText{catalog.Message(lang, code)}}
	if mend := catalog.Mend(lang, code); mend != "" {
		rule.Help = &sarifText{mend}
	}
	return rule
}

func sarifResultOf(f Finding, rule int, lang catalog.Language) sarifResult {
	text := f.Message(lang)
	if mend := f.Mend(lang); mend != "" {
		text += "\n" + mend
	}
	result := sarifResult{RuleID: f.Code, RuleIndex: rule, Level: f.Severity.String(), Message: sarifText{text}}
	if f.File != "" {
		location := sarifPlace(f.Place)
		if f.Path != "" {
			location.Logical = []sarifLogical{{f.Path}}
		}
		result.Locations = []sarifLocation{location}
	}
	for _, p := range f.Related {
		result.Related = append(result.Related, sarifPlace(p))
	}
	return result
}

func sarifPlace(p Place) sarifLocation {
	// A colon in the first segment would be read as a scheme.
	uri := strings.ReplaceAll((&url.URL{Path: p.File}).EscapedPath(), ":", "%3A")
	physical := sarifPhysical{Artifact: sarifArtifact{URI: uri, Base: "%SRCROOT%"}}
	if p.Line > 0 {
		physical.Region = &sarifRegion{p.Line, p.Column}
	}
	return sarifLocation{Physical: physical}
}
