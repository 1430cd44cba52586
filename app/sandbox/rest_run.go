package sandbox

import (
	"archive/zip"
	"bytes"
	"fmt"
	"net/http"
	"path"
	"strings"
)

// runRoutes are jobs, logs and artifacts.
var runRoutes = []route{
	{"GET /repos/{owner}/{repo}/actions/runs/{run}/jobs", reads("actions"), listJobs},
	{"GET /repos/{owner}/{repo}/actions/runs/{run}/attempts/{attempt}/jobs", reads("actions"), attemptJobs},
	{"GET /repos/{owner}/{repo}/actions/jobs/{job}", reads("actions"), getJob},
	{"GET /repos/{owner}/{repo}/actions/jobs/{job}/logs", reads("actions"), jobLogs},
	{"GET /repos/{owner}/{repo}/actions/runs/{run}/logs", reads("actions"), runLogs},
	{"GET /repos/{owner}/{repo}/actions/runs/{run}/attempts/{attempt}/logs", reads("actions"), attemptLogs},
	{"GET /repos/{owner}/{repo}/actions/runs/{run}/artifacts", reads("actions"), runArtifacts},
	{"GET /repos/{owner}/{repo}/actions/artifacts", reads("actions"), allArtifacts},
	{"GET /repos/{owner}/{repo}/actions/artifacts/{artifact}", reads("actions"), getArtifact},
	{"DELETE /repos/{owner}/{repo}/actions/artifacts/{artifact}", writes(roleWrite, "actions"), deleteArtifact},
	{"GET /repos/{owner}/{repo}/actions/artifacts/{artifact}/{format}", reads("actions"), downloadArtifact},
}

func listJobs(c *call) (any, error) {
	u, err := c.run()
	if err != nil {
		return nil, err
	}
	jobs := u.last().jobs
	if c.query("filter") == "all" {
		jobs = nil
		for _, a := range newestFirst(u.attempts) {
			jobs = append(jobs, a.jobs...)
		}
	}
	return counted(c, "jobs", jobs, c.s.jobDoc), nil
}

func attemptJobs(c *call) (any, error) {
	_, a, err := c.attempt()
	if err != nil {
		return nil, err
	}
	return counted(c, "jobs", a.jobs, c.s.jobDoc), nil
}

func getJob(c *call) (any, error) {
	j, err := c.job()
	if err != nil {
		return nil, err
	}
	return c.s.jobDoc(j), nil
}

// signedIn refuses nobody: archives and logs of public repositories need an
// account too.
func (c *call) signedIn() error {
	if c.who.kind == byNobody {
		return refuse(http.StatusForbidden, "Must have admin rights to Repository.")
	}
	return nil
}

func jobLogs(c *call) (any, error) {
	j, err := c.job()
	if err == nil {
		err = c.signedIn()
	}
	if err != nil {
		return nil, err
	}
	return redirect(c.s.downloadURL("job", j.check.id)), nil
}

func runLogs(c *call) (any, error) {
	u, err := c.run()
	if err != nil {
		return nil, err
	}
	return c.logsOf(u, u.last())
}

func attemptLogs(c *call) (any, error) {
	u, a, err := c.attempt()
	if err != nil {
		return nil, err
	}
	return c.logsOf(u, a)
}

func (c *call) logsOf(u *run, a *attempt) (any, error) {
	if err := c.signedIn(); err != nil {
		return nil, err
	}
	return redirect(c.s.downloadURL(fmt.Sprintf("logs-%d", a.number), u.id)), nil
}

func runArtifacts(c *call) (any, error) {
	u, err := c.run()
	if err != nil {
		return nil, err
	}
	return c.artifacts(u.artifacts()), nil
}

func allArtifacts(c *call) (any, error) { return c.artifacts(c.repo.artifacts), nil }

func (c *call) artifacts(list []*artifact) doc {
	name := c.query("name")
	list = newestFirst(filter(seen(list), func(a *artifact) bool { return name == "" || a.name == name }))
	return counted(c, "artifacts", list, c.s.artifactDoc)
}

// artifact returns the artifact of a path.
func (c *call) artifact() (*artifact, error) {
	id, err := c.number("artifact")
	if err != nil {
		return nil, err
	}
	if a := c.repo.artifact(id); a != nil {
		return a, nil
	}
	return nil, notFound()
}

func getArtifact(c *call) (any, error) {
	a, err := c.artifact()
	if err != nil {
		return nil, err
	}
	return c.s.artifactDoc(a), nil
}

func deleteArtifact(c *call) (any, error) {
	a, err := c.artifact()
	if err != nil {
		return nil, err
	}
	c.repo.artifacts = filter(c.repo.artifacts, func(o *artifact) bool { return o != a })
	return nil, nil
}

func downloadArtifact(c *call) (any, error) {
	a, err := c.artifact()
	switch {
	case err != nil:
		return nil, err
	case c.path("format") != "zip":
		return nil, notFound()
	case c.s.isExpired(a):
		return nil, refuse(http.StatusGone, "Artifact has expired")
	}
	if err := c.signedIn(); err != nil {
		return nil, err
	}
	return redirect(c.s.downloadURL("artifact", a.id)), nil
}

// serveDownload answers the address of an archive.
func (s *Server) serveDownload(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	contentType, data := s.download(s.downloads[path.Base(r.URL.Path)])
	s.mu.Unlock()
	if data == nil {
		http.Error(w, "The specified resource does not exist.", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Content-Disposition", "attachment")
	_, _ = w.Write(data) // the client went away
}

// download returns what a download address stands for.
func (s *Server) download(what string) (contentType string, data []byte) {
	kind, id, _ := strings.Cut(what, ":")
	for _, r := range s.repos {
		for _, a := range r.artifacts {
			if kind == "artifact" && fmt.Sprint(a.id) == id {
				return "application/zip", a.data
			}
		}
		for _, u := range r.runs {
			if number := 0; fmt.Sprint(u.id) == id {
				if _, err := fmt.Sscanf(kind, "logs-%d", &number); err == nil && number <= len(u.attempts) {
					return "application/zip", logArchive(u.attempts[number-1])
				}
			}
		}
		for _, k := range r.checks {
			if kind == "job" && k.job != nil && fmt.Sprint(k.id) == id {
				return "text/plain; charset=utf-8", []byte(k.job.text(0))
			}
		}
	}
	return "", nil
}

// text is the log of a job, or of one of its steps.
func (j *job) text(step int) string {
	var b strings.Builder
	for _, l := range j.log {
		if step == 0 || l.step == step {
			fmt.Fprintf(&b, "%s %s\n", l.when.UTC().Format("2006-01-02T15:04:05.0000000Z"), l.text)
		}
	}
	return b.String()
}

// fileName is a job or step name as the archive has it: what a path cannot hold
// is left out.
func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, r) || r < ' ' {
			return -1
		}
		return r
	}, name)
}

// logArchive packs the logs of an attempt: one file a job, and a folder a job
// with one file a step.
func logArchive(a *attempt) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	add := func(name, text string) {
		if f, err := z.Create(name); err == nil {
			_, _ = f.Write([]byte(text)) // into memory
		}
	}
	for i, j := range a.jobs {
		name := fileName(j.check.name)
		add(fmt.Sprintf("%d_%s.txt", i, name), j.text(0))
		for _, st := range j.steps {
			add(fmt.Sprintf("%s/%d_%s.txt", name, st.number, fileName(st.name)), j.text(st.number))
		}
	}
	_ = z.Close() // into memory
	return b.Bytes()
}
