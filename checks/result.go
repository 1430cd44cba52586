package checks

// Result is the answer of one check: a row of the verdict with everything that
// it rests on.
type Result struct {
	Number int    `json:"number"`
	Name   string `json:"name"`
	Topic  Topic  `json:"topic"`
	Status Status `json:"status"`
	// Reason is one line: the deciding fact of a pass, the root issue of a
	// failure first, the inspected scope of N/A (spec/checks.md section 1.8).
	// It is Markdown, made safe and cut only when it is rendered.
	Reason string `json:"reason"`
	// Remarks are facts that decide nothing but that a reviewer wants to see.
	Remarks []string `json:"remarks,omitempty"`
	// Citations are the sources of the reason, in the order of their weight.
	Citations []Citation `json:"citations"`
	// Missing names the evidence that was not given or could not be read.
	Missing []string `json:"missing"`
	// Annotations belong on lines of the head commit.
	Annotations []Annotation `json:"annotations,omitempty"`
}

// CitationKind says what a citation points to.
type CitationKind string

// The kinds of citations.
const (
	CiteCommit   CitationKind = "commit"
	CiteFile     CitationKind = "file"
	CiteRun      CitationKind = "run"
	CiteArtifact CitationKind = "artifact"
	CiteComment  CitationKind = "comment"
	CiteCheckRun CitationKind = "check-run"
	CitePull     CitationKind = "pull-request"
	CitePage     CitationKind = "page"
	CiteImage    CitationKind = "image"
)

// Citation is a piece of evidence that anyone can open.
type Citation struct {
	Kind CitationKind `json:"kind"`
	// Text says what is to be seen there, in a few words.
	Text string `json:"text,omitempty"`
	// Commit and Path, Line name a line of a file at a revision; Line is 0 for
	// the whole file.
	Commit string `json:"commit,omitempty"`
	Path   string `json:"path,omitempty"`
	Line   int    `json:"line,omitempty"`
	// ID is the number of a run, artifact, comment, check run or pull request.
	ID  int64  `json:"id,omitempty"`
	URL string `json:"url,omitempty"`
}

// Annotation is a remark on a line of a file at the head commit.
type Annotation struct {
	Path string `json:"path"`
	Line int    `json:"line"`
	// Status is Fail or Warn.
	Status Status `json:"status"`
	Text   string `json:"text"`
}
