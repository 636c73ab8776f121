package api

import (
	"bytes"
	"mime/multipart"
	"os"
	"testing"

	"github.com/kalends/kalends/internal/args"
)

// An uploaded image, too large or not, is never written to a temporary file that could be left behind.
func TestUploadStaysInMemory(t *testing.T) {
	t.Parallel()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	to, err := w.CreateFormFile("file", "large.png")
	if err == nil {
		_, err = to.Write(make([]byte, 21<<20-1000))
	}
	if err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	sent, err := addMultipart(args.Values{}, body.Bytes(), w.Boundary(), true)
	if err != nil {
		t.Fatal(err)
	}
	if kept, isFile := sent.Content.(*os.File); isFile {
		t.Errorf("it is in %s", kept.Name())
		_ = os.Remove(kept.Name())
	}
}
