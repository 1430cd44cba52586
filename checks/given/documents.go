package given

import (
	"fmt"
	"strings"

	"github.com/sweepbot/sweepbot/checks"
)

// Documents is the evidence of one verification in the layout of evidence files
// and bundles. A nil list or map entry is "not given"; an empty one says that
// there is nothing.
type Documents struct {
	Pull     *checks.Pull     `json:"pull,omitempty"`
	Comments []checks.Comment `json:"comments,omitzero"`
	// CheckRuns are by full commit id, Jobs and Artifacts by run.
	CheckRuns map[string][]checks.CheckRun `json:"check_runs,omitempty"`
	Runs      map[int64]checks.Run         `json:"runs,omitempty"`
	// RunLists are the ids of runs by workflow and branch, as "run-sweep.yml@topic",
	// newest first: what a list of runs held. Without one, Runs are searched.
	RunLists  map[string][]int64          `json:"run_lists,omitempty"`
	Jobs      map[int64][]checks.Job      `json:"jobs,omitempty"`
	Artifacts map[int64][]checks.Artifact `json:"artifacts,omitempty"`
	// Teams are by org/slug in lower case, Upstream by owner/name#number in
	// lower case, with the files of the pull request.
	Teams    map[string]checks.Membership `json:"teams,omitempty"`
	Upstream map[string]checks.Pull       `json:"upstream,omitempty"`
	Pages    map[string]string            `json:"pages,omitempty"`
	Images   map[string]checks.Image      `json:"images,omitempty"`
	// Absent and Unreadable list questions, such as "runs/12" and "comments":
	// what does not exist, and what could not be read.
	Absent     []string `json:"absent,omitempty"`
	Unreadable []string `json:"unreadable,omitempty"`
	// Files are those of artifacts, by artifact and name. They are no JSON:
	// archives hold them as files of their own.
	Files map[int64]map[string][]byte `json:"-"`
}

// Question names what a source is asked, for Absent and Unreadable.
func Question(kind string, parts ...any) string {
	var b strings.Builder
	b.WriteString(kind)
	for _, part := range parts {
		fmt.Fprintf(&b, "/%v", part)
	}
	return b.String()
}

// The kinds of questions; also the names of the members of the layout.
const (
	kindPull      = "pull"
	kindComments  = "comments"
	kindCheckRuns = "check_runs"
	kindRuns      = "runs"
	kindRunLists  = "run_lists"
	kindJobs      = "jobs"
	kindArtifacts = "artifacts"
	kindFiles     = "artifact_files"
	kindTeams     = "teams"
	kindUpstream  = "upstream"
	kindPages     = "pages"
	kindImages    = "images"
)

func teamKey(org, slug string) string { return strings.ToLower(org + "/" + slug) }

// RunList is the key of a list of runs of a workflow for a branch.
func RunList(workflow, branch string) string { return workflow + "@" + branch }

func upstreamKey(repository string, number int) string {
	return fmt.Sprintf("%s#%d", strings.ToLower(repository), number)
}

// Association is what the newest comment of a login says about its standing in
// the repository, "" where no comment does.
func (d *Documents) Association(login string) string {
	found := ""
	for _, c := range d.Comments {
		if c.Association != "" && strings.EqualFold(c.User.Login, login) {
			found = c.Association
		}
	}
	return found
}

// Repository is the repository that the evidence is about, "" where it does not
// say.
func (d *Documents) Repository() string {
	if d.Pull != nil && d.Pull.Base.Repo != nil {
		return d.Pull.Base.Repo.FullName
	}
	for _, c := range d.Comments {
		for _, page := range []string{c.IssueURL, c.URL} {
			if name := repositoryOf(page); name != "" {
				return name
			}
		}
	}
	return ""
}

// repositoryOf reads owner/name from the page or the API address of an issue
// or a pull request.
func repositoryOf(url string) string {
	_, rest, ok := strings.Cut(url, "://")
	if !ok {
		return ""
	}
	parts := strings.Split(rest, "/")[1:]
	for i, part := range parts {
		if (part == "issues" || part == "pull") && i >= 2 {
			return parts[i-2] + "/" + parts[i-1]
		}
	}
	return ""
}
