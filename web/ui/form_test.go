package ui

import (
	"bytes"
	"mime/multipart"
	"os"
	"testing"
)

// TestPartsStayInMemory: what comes with a form, however large, is put in no file that
// would stay behind.
func TestPartsStayInMemory(t *testing.T) {
	t.Parallel()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	to, err := w.CreateFormFile("file", "large.png")
	if err == nil {
		_, err = to.Write(make([]byte, 20<<20))
	}
	if err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	f := &Posted{}
	if err := f.readParts(body.Bytes(), w.Boundary()); err != nil {
		t.Fatal(err)
	}
	file, err := f.Files["file"][0].Open()
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if kept, isFile := file.(*os.File); isFile {
		t.Errorf("it is in %s", kept.Name())
		_ = os.Remove(kept.Name())
	}
}
