package media

import (
	"strings"
	"testing"
	"time"
)

func TestParseS3(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]S3Config{
		"https://k:s@s3.example.org/pictures": {Endpoint: "s3.example.org", Bucket: "pictures", AccessKey: "k", SecretKey: "s", Secure: true},
		"http://k:a%2Fb%2Bc@127.0.0.1:9000/pictures/of/club/?style=path&region=eu-central-1": {Endpoint: "127.0.0.1:9000",
			Bucket: "pictures", Prefix: "of/club", AccessKey: "k", SecretKey: "a/b+c", Region: "eu-central-1", Style: "path"},
		"https://k:s@s3.example.org/pictures?style=host": {Endpoint: "s3.example.org", Bucket: "pictures", AccessKey: "k",
			SecretKey: "s", Secure: true, Style: "host"},
	} {
		if got, err := ParseS3(address); err != nil || got != want {
			t.Errorf("%s: %+v, %v", address, got, err)
		}
	}
	for address, words := range map[string]string{
		"":                                       "https://",
		"s3://k:geheim@s3.example.org/b":         "https://",
		"https://k:geheim/2@s3.example.org/b":    "%2F",
		"https://s3.example.org/b":               "no key",
		"https://geheim@s3.example.org/b":        "no key",
		"https://k:geheim@s3.example.org":        "bucket",
		"https://k:geheim@/b":                    "host",
		"https://k:geheim@h/b?tls=no":            "tls",
		"https://k:geheim@h/b?style=geheim":      "style",
		"https://k:geheim@h/b?%zz":               "question mark",
		"https://k:geheim@h/b/../up":             "prefix",
		"https://k:geheim@h/b/.hidden":           "prefix",
		"https://k:geheim@h/b/" + long + "/deep": "prefix",
	} {
		if _, err := ParseS3(address); err == nil || !strings.Contains(err.Error(), words) || strings.Contains(err.Error(), "geheim") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

var long = strings.Repeat("x", 600)

// TestStyleOfS3 checks where requests name the bucket.
func TestStyleOfS3(t *testing.T) {
	t.Parallel()
	for style, want := range map[string]string{"path": "https://s3.example.org/pictures/", "host": "https://pictures.s3.example.org/"} {
		s := s3At(t, "https://k:s@s3.example.org/pictures?region=eu&style="+style)
		u, err := s.client.PresignedGetObject(t.Context(), s.bucket, "x", time.Minute, nil)
		if err != nil || !strings.HasPrefix(u.String(), want) {
			t.Errorf("%s: %v, %v", style, u, err)
		}
	}
}
