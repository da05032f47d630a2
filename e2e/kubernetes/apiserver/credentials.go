package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"time"
)

const (
	authorityCertificate = "authority.crt"
	serverCertificate    = "server.crt"
	serverKey            = "server.key"
	tokens               = "tokens.csv"
)

// One authority vouches for the server and for its administrator.
func writeCredentials() (*Access, error) {
	authority, authorityKey, err := issue(&x509.Certificate{Subject: pkix.Name{CommonName: "authority"}, IsCA: true, KeyUsage: x509.KeyUsageCertSign}, nil, nil)
	if err != nil {
		return nil, err
	}
	server, key, err := issue(&x509.Certificate{
		Subject:     pkix.Name{CommonName: "server"},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}, authority, authorityKey)
	if err != nil {
		return nil, err
	}
	administrator, administratorKey, err := issue(&x509.Certificate{
		Subject:     pkix.Name{CommonName: "administrator", Organization: []string{"system:masters"}},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}, authority, authorityKey)
	if err != nil {
		return nil, err
	}
	stranger := rand.Text()
	keyPEM, err := encodeKey(key)
	if err != nil {
		return nil, err
	}
	administratorKeyPEM, err := encodeKey(administratorKey)
	if err != nil {
		return nil, err
	}
	for name, content := range map[string]string{
		authorityCertificate: encodeCertificate(authority),
		serverCertificate:    encodeCertificate(server),
		serverKey:            keyPEM,
		tokens:               stranger + ",stranger,stranger\n",
	} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			return nil, err
		}
	}
	return &Access{
		Authority:   encodeCertificate(authority),
		Certificate: encodeCertificate(administrator),
		Key:         administratorKeyPEM,
		Stranger:    stranger,
	}, nil
}

// Signed by itself where nobody vouches for it.
func issue(wanted, issuer *x509.Certificate, issuerKey *ecdsa.PrivateKey) (*x509.Certificate, *ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	if issuer == nil {
		issuer, issuerKey = wanted, key
	}
	wanted.SerialNumber = big.NewInt(time.Now().UnixNano())
	wanted.NotBefore = time.Now().Add(-time.Hour)
	wanted.NotAfter = time.Now().Add(24 * time.Hour)
	wanted.BasicConstraintsValid = true
	der, err := x509.CreateCertificate(rand.Reader, wanted, issuer, &key.PublicKey, issuerKey)
	if err != nil {
		return nil, nil, err
	}
	certificate, err := x509.ParseCertificate(der)
	return certificate, key, err
}

func encodeCertificate(certificate *x509.Certificate) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate.Raw}))
}

func encodeKey(key *ecdsa.PrivateKey) (string, error) {
	der, err := x509.MarshalECPrivateKey(key)
	return string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der})), err
}
