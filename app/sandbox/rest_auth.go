package sandbox

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// app is a GitHub App and its one installation.
type app struct {
	id           int64
	slug, name   string
	bot          *user
	account      *user // on which it is installed
	installation int64
	perms        permissions
	events       []string
	hook         *hook
	created      time.Time
	key          *rsa.PrivateKey // made when first asked for
}

// credential returns the token of a request.
func credential(r *http.Request) string {
	if _, password, ok := r.BasicAuth(); ok {
		return password
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	switch strings.ToLower(scheme) {
	case "bearer", "token":
		return strings.TrimSpace(token)
	}
	return ""
}

// authenticate says who makes a request.
func (s *Server) authenticate(r *http.Request) (*identity, error) {
	token := credential(r)
	bad := refuse(http.StatusUnauthorized, "Bad credentials")
	switch {
	case token == "" && r.Header.Get("Authorization") == "":
		return &identity{kind: byNobody, key: "nobody"}, nil
	case strings.Count(token, ".") == 2:
		return s.verifyJWT(token)
	}
	who := s.tokens[token]
	switch {
	case who == nil || who.revoked:
		return nil, bad
	case !who.expires.IsZero() && !s.opt.AuthClock().Before(who.expires):
		return nil, bad
	case who.user != nil && who.user.suspended:
		return nil, refuse(http.StatusForbidden, "Sorry. Your account was suspended.")
	}
	return who, nil
}

// AppKey returns the App's private key as PEM. It is made when first asked for
// and is worth nothing outside of this sandbox.
func (s *Server) AppKey() ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key, err := s.app.signingKey()
	if err != nil {
		return nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}), nil
}

func (a *app) signingKey() (*rsa.PrivateKey, error) {
	if a.key == nil {
		key, err := rsa.GenerateKey(rand.Reader, 2048)
		if err != nil {
			return nil, err
		}
		a.key = key
	}
	return a.key, nil
}

// AppID returns the ids of the App and of its installation.
func (s *Server) AppID() (appID, installationID int64) { return s.app.id, s.app.installation }

// claims are what a JWT of an App says.
type claims struct {
	Issuer  json.RawMessage `json:"iss"`
	Issued  float64         `json:"iat"`
	Expires float64         `json:"exp"`
}

// maxTokenLife is how far in the future a JWT may expire.
const maxTokenLife = 10 * time.Minute

// verifyJWT checks a JWT: RS256 with the App's key, in its time.
func (s *Server) verifyJWT(token string) (*identity, error) {
	undecodable := refuse(http.StatusUnauthorized, "A JSON web token could not be decoded")
	parts := strings.Split(token, ".")
	var header struct {
		Algorithm string `json:"alg"`
	}
	var c claims
	if decodePart(parts[0], &header) != nil || decodePart(parts[1], &c) != nil || header.Algorithm != "RS256" || s.app.key == nil {
		return nil, undecodable
	}
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil {
		return nil, undecodable
	}
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if rsa.VerifyPKCS1v15(&s.app.key.PublicKey, crypto.SHA256, sum[:], signature) != nil {
		return nil, undecodable
	}
	if issuer := strings.Trim(string(c.Issuer), `"`); issuer != fmt.Sprint(s.app.id) && issuer != s.app.clientID() {
		return nil, refuse(http.StatusNotFound, "Integration not found")
	}
	return s.timely(c)
}

func (a *app) clientID() string { return fmt.Sprintf("Iv23li%014d", a.id) }

// timely checks the times of a JWT.
func (s *Server) timely(c claims) (*identity, error) {
	now := s.opt.AuthClock()
	issued, expires := time.Unix(int64(c.Issued), 0), time.Unix(int64(c.Expires), 0)
	switch {
	case !now.Before(expires):
		return nil, refuse(http.StatusUnauthorized, "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires")
	case expires.Sub(now) > maxTokenLife:
		return nil, refuse(http.StatusUnauthorized, "'Expiration time' claim ('exp') is too far in the future")
	case issued.Sub(now) > time.Minute:
		return nil, refuse(http.StatusUnauthorized, "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued")
	}
	return &identity{kind: byApp, app: s.app, user: s.app.bot, key: "app"}, nil
}

func decodePart(part string, v any) error {
	data, err := base64.RawURLEncoding.DecodeString(part)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, v)
}
