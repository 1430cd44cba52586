package sandbox

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// caName is the file of the certificate, in the folder of the sandbox.
const caName = "ca.pem"

// certificateLife is how long the certificates of a sandbox are valid.
const certificateLife = 7 * 24 * time.Hour

// localNames are the host names that the certificate is for.
var localNames = []string{"localhost", "github.localhost", "api.github.localhost"}

// listenTLS opens the second port, on the host of the first, and writes down
// the certificate that a client must trust.
func (s *Server) listenTLS(host string) (net.Listener, error) {
	leaf, authority, err := certify(time.Now())
	if err != nil {
		return nil, err
	}
	s.caFile = filepath.Join(s.dir, caName)
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: authority})
	if err := os.WriteFile(s.caFile, block, 0o600); err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
	if err != nil {
		return nil, err
	}
	s.secure = "https://" + listener.Addr().String()
	return tls.NewListener(listener, &tls.Config{Certificates: []tls.Certificate{leaf}, MinVersion: tls.VersionTLS12}), nil
}

// certify makes an authority for this machine only, and a certificate of it.
// Neither key is ever written, and that of the authority is forgotten here, so
// that whoever trusts the file trusts this one sandbox.
func certify(now time.Time) (leaf tls.Certificate, authority []byte, err error) {
	caKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return leaf, nil, err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return leaf, nil, err
	}
	ca := certificate("sandbox authority", 1, now)
	ca.IsCA, ca.BasicConstraintsValid, ca.MaxPathLenZero, ca.KeyUsage = true, true, true, x509.KeyUsageCertSign
	ca.PermittedDNSDomainsCritical, ca.PermittedDNSDomains, ca.PermittedIPRanges = true, []string{"localhost"}, loopback()
	if authority, err = x509.CreateCertificate(rand.Reader, ca, ca, caKey.Public(), caKey); err != nil {
		return leaf, nil, err
	}
	server := certificate("sandbox", 2, now)
	server.KeyUsage, server.ExtKeyUsage = x509.KeyUsageDigitalSignature, []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	server.DNSNames, server.IPAddresses = localNames, []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}
	data, err := x509.CreateCertificate(rand.Reader, server, ca, key.Public(), caKey)
	return tls.Certificate{Certificate: [][]byte{data}, PrivateKey: key}, authority, err
}

// certificate is what the two have in common. It begins before now, for a
// client whose clock is behind.
func certificate(name string, serial int64, now time.Time) *x509.Certificate {
	return &x509.Certificate{
		SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: name},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(certificateLife),
	}
}

// loopback are the addresses of this machine.
func loopback() []*net.IPNet {
	return []*net.IPNet{
		{IP: net.IPv4(127, 0, 0, 0).To4(), Mask: net.CIDRMask(8, 32)},
		{IP: net.IPv6loopback, Mask: net.CIDRMask(128, 128)},
	}
}

// TLSURL is the address of the sandbox over TLS, for clients that speak nothing
// else; "" without [Options.TLS]. It serves what URL does.
func (s *Server) TLSURL() string { return s.secure }

// CAFile is the PEM file with the certificate that clients of TLSURL must
// trust, for example through SSL_CERT_FILE; "" without [Options.TLS]. The file
// ends with the sandbox.
func (s *Server) CAFile() string { return s.caFile }
