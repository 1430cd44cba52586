package sandbox

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// trusting is a client that trusts a sandbox's certificate and nothing else.
func trusting(t *testing.T, s *Server) *http.Client {
	t.Helper()
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(must(os.ReadFile(s.CAFile()))(t)) {
		t.Fatal("the file has no certificate")
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

func TestTLS(t *testing.T) {
	t.Parallel()
	s := start(t, Options{TLS: true})
	client := trusting(t, s)
	for _, host := range []string{"127.0.0.1", "localhost"} {
		root := strings.Replace(s.TLSURL(), "127.0.0.1", host, 1) + "/api/v3"
		resp, err := client.Get(root + "/repos/" + s.Repository())
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ URL string }
		if err := json.NewDecoder(resp.Body).Decode(&got); err != nil || got.URL != root+"/repos/"+s.Repository() {
			t.Errorf("asked over TLS it names %q: %v", got.URL, err)
		}
		resp.Body.Close()
	}
	req := must(http.NewRequest("GET", s.URL()+"/_sandbox/tls", nil))(t)
	req.Header.Set("X-Sandbox", "1")
	resp := must(http.DefaultClient.Do(req))(t)
	var told struct {
		URL  string
		File string `json:"ca_file"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&told); err != nil || told.URL != s.TLSURL() || told.File != s.CAFile() {
		t.Errorf("other processes are told %+v: %v", told, err)
	}
	resp.Body.Close()
	var unknown *tls.CertificateVerificationError
	if _, err := http.Get(s.TLSURL()); !errors.As(err, &unknown) {
		t.Errorf("a client that trusts nothing of ours: %v", err)
	}
}

// Downloads stay on TLS, all the way to the archive.
func TestTLSDownload(t *testing.T) {
	t.Parallel()
	s := start(t, Options{TLS: true})
	finished(t, s)
	client := trusting(t, s)
	client.CheckRedirect = func(req *http.Request, _ []*http.Request) error {
		if !strings.HasPrefix(req.URL.String(), s.TLSURL()) {
			t.Errorf("sent on to %s", req.URL)
		}
		return nil
	}
	req := must(http.NewRequest("GET", s.TLSURL()+"/api/v3/repos/"+s.Repository()+"/actions/artifacts", nil))(t)
	req.Header.Set("Authorization", "Bearer "+must(s.Token("walt-write"))(t))
	resp := must(client.Do(req))(t)
	var list struct {
		Artifacts []struct {
			URL string `json:"archive_download_url"`
		}
	}
	ok(t, json.NewDecoder(resp.Body).Decode(&list))
	resp.Body.Close()
	req.URL = must(req.URL.Parse(list.Artifacts[0].URL))(t)
	resp = must(client.Do(req))(t)
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != "application/zip" {
		t.Errorf("%s, %s", resp.Status, resp.Header.Get("Content-Type"))
	}
}

// The authority is bound to this machine, its key is nowhere on disk, and the
// file goes with the sandbox.
func TestTLSLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	s := must(Start(t.Context(), Options{TLS: true}))(t)
	err := filepath.WalkDir(s.dir, func(name string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && strings.Contains(string(must(os.ReadFile(name))(t)), "PRIVATE KEY") {
			t.Errorf("%s holds a key", name)
		}
		return err
	})
	ok(t, err)
	ok(t, s.Close())
	if _, err := os.Stat(s.CAFile()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the certificate stays: %v", err)
	}
	if s := start(t, Options{}); s.TLSURL() != "" || s.CAFile() != "" {
		t.Errorf("not asked for, but there: %q %q", s.TLSURL(), s.CAFile())
	}
}

// The certificate is for this machine, and so is all that the authority could
// ever vouch for.
func TestAuthorityIsForThisMachine(t *testing.T) {
	t.Parallel()
	now := time.Now()
	leaf, authority, err := certify(now)
	ok(t, err)
	pool := x509.NewCertPool()
	pool.AddCert(must(x509.ParseCertificate(authority))(t))
	c := must(x509.ParseCertificate(leaf.Certificate[0]))(t)
	for _, name := range append(localNames, "127.0.0.1", "::1") {
		if _, err := c.Verify(x509.VerifyOptions{Roots: pool, DNSName: name, CurrentTime: now}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := c.Verify(x509.VerifyOptions{Roots: pool, DNSName: "github.com", CurrentTime: now}); err == nil {
		t.Error("it is good for github.com")
	}
	if got := must(x509.ParseCertificate(authority))(t); len(got.PermittedDNSDomains) != 1 || !got.PermittedDNSDomainsCritical {
		t.Errorf("the authority is bound to %v", got.PermittedDNSDomains)
	}
}
