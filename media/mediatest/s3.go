// Package mediatest provides S3-compatible storage for tests: the one in TEST_S3_URL, or an in-memory fake.
package mediatest

import (
	"crypto/rand"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
)

// S3 returns the address of an empty prefix of a bucket in the format of KALENDS_MEDIA_URL. In the bucket of
// TEST_S3_URL it is a new prefix, which is not removed afterwards.
func S3(t testing.TB) string {
	t.Helper()
	given := os.Getenv("TEST_S3_URL")
	if given == "" {
		address, _ := NewFake(t)
		return address
	}
	u, err := url.Parse(given)
	if err != nil {
		t.Fatal("mediatest: TEST_S3_URL is no address")
	}
	u.Path = strings.TrimSuffix(u.Path, "/") + "/" + strings.ToLower(rand.Text())
	return u.String()
}

// NewFake returns the address of a prefix in a fake, and the fake.
func NewFake(t testing.TB) (address string, fake *Fake) {
	t.Helper()
	fake = &Fake{blobs: map[string]Blob{}}
	server := httptest.NewServer(fake)
	t.Cleanup(server.Close)
	return "http://key:se%2Fcret@" + server.Listener.Addr().String() + "/pictures/kalends?region=us-east-1", fake
}
