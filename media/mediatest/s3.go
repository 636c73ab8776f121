// Package mediatest gives tests an S3-compatible storage: the one TEST_S3_URL names, else a fake in memory.
package mediatest

import (
	"crypto/rand"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
)

// S3 returns the address of an empty place in a bucket, as KALENDS_MEDIA_URL has it. In the bucket that TEST_S3_URL
// names it is a prefix of its own, which is left there at the end.
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

// NewFake returns the address of a place in a fake, and the fake behind it.
func NewFake(t testing.TB) (address string, fake *Fake) {
	t.Helper()
	fake = &Fake{blobs: map[string]Blob{}}
	server := httptest.NewServer(fake)
	t.Cleanup(server.Close)
	return "http://key:se%2Fcret@" + server.Listener.Addr().String() + "/pictures/kalends?region=us-east-1", fake
}
