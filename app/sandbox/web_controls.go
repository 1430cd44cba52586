package sandbox

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path"
	"strconv"
	"strings"
)

// controlHeader must be on every request that changes how the sandbox behaves.
// A page of another site cannot set it.
const controlHeader = "X-Sandbox"

// serveControls answers below /_sandbox: style and script of the pages,
// pictures, archives, and the switches that tests of other processes use.
func (s *Server) serveControls(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/_sandbox/")
	folder, rest := path.Split(name)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	switch {
	case name == "style.css" || name == "live.js":
		http.ServeFileFS(w, r, pageFiles, "pages/"+name)
	case folder == "avatar/":
		w.Header().Set("Content-Type", "image/svg+xml")
		w.Header().Set("Content-Security-Policy", "default-src 'none'")
		fmt.Fprint(w, s.avatar(rest))
	case folder == "download/":
		s.serveDownload(w, r)
	case r.Header.Get(controlHeader) == "":
		http.Error(w, "requests to the controls need the header "+controlHeader, http.StatusForbidden)
	default:
		s.serveSwitch(w, r, name)
	}
}

// serveSwitch answers the controls of tests:
//
//	GET, PUT /faults     the faults, in the form of Faults
//	POST     /settle     waits until nothing more happens by itself
//	POST     /token      {"login"} -> {"token"}
//	POST     /expire     {"artifact": id}, or all installation tokens
//	GET      /tls        {"url", "ca_file"}, see TLSURL and CAFile
func (s *Server) serveSwitch(w http.ResponseWriter, r *http.Request, name string) {
	var in struct {
		Login    string
		Artifact int64
	}
	var faults Faults
	target := any(&in)
	if name == "faults" {
		target = &faults
	}
	if err := json.NewDecoder(io.LimitReader(r.Body, maxRequest)).Decode(target); err != nil && err != io.EOF {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var answer any = doc{}
	var err error
	switch r.Method + " " + name {
	case "GET faults":
		s.mu.Lock()
		answer = s.faults.Faults
		s.mu.Unlock()
	case "PUT faults":
		err = s.SetFaults(faults)
	case "POST settle":
		err = s.Settle(r.Context())
	case "POST token":
		var token string
		token, err = s.Token(in.Login)
		answer = doc{"token": token}
	case "GET tls":
		answer = doc{"url": s.secure, "ca_file": s.caFile}
	case "POST expire":
		if in.Artifact == 0 {
			s.ExpireTokens()
		} else {
			err = s.ExpireArtifact(in.Artifact)
		}
	default:
		err = notFound()
	}
	if err != nil {
		s.writeError(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_, _ = w.Write(encode(answer)) // the client went away
}

// avatar draws a picture for an account: its first letter on a colour of its
// own.
func (s *Server) avatar(id string) string {
	letter := "?"
	n, _ := strconv.ParseInt(id, 10, 64)
	s.mu.Lock()
	for _, u := range s.users {
		if u.id == n {
			letter = strings.ToUpper(u.login[:1])
		}
	}
	s.mu.Unlock()
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="20" fill="hsl(%d 45%% 42%%)"/>`+
		`<text x="20" y="27" font-family="sans-serif" font-size="20" fill="#fff" text-anchor="middle">%s</text></svg>`, (n*67)%360, letter)
}
