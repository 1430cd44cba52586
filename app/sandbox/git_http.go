package sandbox

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strings"
)

// gitRequest reads the address of a request of the smart protocol: owner/name,
// with or without .git, and the service.
func gitRequest(r *http.Request) (repo, service string, ok bool) {
	address := strings.TrimPrefix(r.URL.Path, "/")
	for _, name := range []string{"git-upload-pack", "git-receive-pack"} {
		if rest, is := strings.CutSuffix(address, "/"+name); is && r.Method == http.MethodPost {
			return strings.TrimSuffix(rest, ".git"), name, true
		}
		if rest, is := strings.CutSuffix(address, "/info/refs"); is && r.URL.Query().Get("service") == name {
			return strings.TrimSuffix(rest, ".git"), name, true
		}
	}
	return "", "", false
}

// serveGit answers a clone, fetch or push.
func (s *Server) serveGit(w http.ResponseWriter, r *http.Request, name, service string) {
	who, repo, err := s.enterGit(r, name, service == "git-receive-pack")
	if err != nil {
		if err.Status == http.StatusUnauthorized {
			w.Header().Set("WWW-Authenticate", `Basic realm="GitHub"`)
		}
		http.Error(w, err.Message, err.Status)
		return
	}
	w.Header().Set("Cache-Control", "no-cache")
	switch {
	case r.Method == http.MethodGet:
		s.advertise(w, r, repo, service)
	case service == "git-upload-pack":
		w.Header().Set("Content-Type", "application/x-git-upload-pack-result")
		_ = s.runService(r, repo, service, w) // a broken pack says so itself
	default:
		s.receive(w, r, who, repo)
	}
}

// enterGit finds the repository and holds the caller's rights against it.
func (s *Server) enterGit(r *http.Request, name string, push bool) (*identity, *repository, *APIError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	repo := s.repo(name)
	who, err := s.authenticate(r)
	switch {
	case err != nil:
		return nil, nil, refuse(http.StatusUnauthorized, "Invalid username or token.")
	case who.kind == byNobody && (push || repo == nil || !who.visible(repo)):
		return nil, nil, refuse(http.StatusUnauthorized, "No anonymous write access.")
	case repo == nil || !who.visible(repo):
		return nil, nil, refuse(http.StatusNotFound, "Repository not found.")
	case push && who.check(repo, writes(roleWrite, "contents")) != nil:
		return nil, nil, refuse(http.StatusForbidden, "Permission to %s.git denied to %s.", repo.fullName(), who.user.login)
	}
	return who, repo, nil
}

// advertise answers the first request of a client: which refs there are.
func (s *Server) advertise(w http.ResponseWriter, r *http.Request, repo *repository, service string) {
	var refs bytes.Buffer
	if err := s.serviceCommand(r, repo, service, "--advertise-refs", nil, &refs).Run(); err != nil {
		http.Error(w, "the repository cannot be read", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/x-"+service+"-advertisement")
	line := "# service=" + service + "\n"
	fmt.Fprintf(w, "%04x%s0000", len(line)+4, line)
	_, _ = w.Write(refs.Bytes()) // the client went away
}

// serviceCommand is the git process behind a request.
func (s *Server) serviceCommand(r *http.Request, repo *repository, service, flag string, in io.Reader, out io.Writer) *exec.Cmd {
	args := []string{strings.TrimPrefix(service, "git-"), "--stateless-rpc"}
	if flag != "" {
		args = append(args, flag)
	}
	ctx := r.Context()
	if service == "git-receive-pack" {
		ctx = context.WithoutCancel(ctx) // half a push would be worse than a lost client
	}
	cmd := exec.CommandContext(ctx, "git", append(args, repo.git.dir)...)
	cmd.Env = repo.git.env
	if version := r.Header.Get("Git-Protocol"); version != "" {
		cmd.Env = append(cmd.Env[:len(cmd.Env):len(cmd.Env)], "GIT_PROTOCOL="+version)
	}
	cmd.Stdin, cmd.Stdout = in, out
	return cmd
}

func (s *Server) runService(r *http.Request, repo *repository, service string, out io.Writer) error {
	body := io.Reader(r.Body)
	if r.Header.Get("Content-Encoding") == "gzip" {
		plain, err := gzip.NewReader(r.Body)
		if err != nil {
			return err
		}
		body = plain
	}
	return s.serviceCommand(r, repo, service, "", body, out).Run()
}

// receive takes a push. The client is answered when everything that follows
// from it has happened.
func (s *Server) receive(w http.ResponseWriter, r *http.Request, who *identity, repo *repository) {
	repo.pushing.Lock()
	defer repo.pushing.Unlock()
	var report bytes.Buffer
	if err := s.runService(r, repo, "git-receive-pack", &report); err != nil && report.Len() == 0 {
		http.Error(w, "the push failed", http.StatusInternalServerError)
		return
	}
	if err := s.pushed(who, repo); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/x-git-receive-pack-result")
	_, _ = w.Write(report.Bytes()) // the client went away
}

// pushed lets everything follow the refs that a push moved.
func (s *Server) pushed(who *identity, repo *repository) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	moved, err := s.refresh(s.ctx, repo)
	if err != nil {
		return err
	}
	for _, p := range moved {
		if err := s.moved(who, repo, p); err != nil {
			return err
		}
	}
	return nil
}
