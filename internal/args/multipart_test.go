package args

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net/textproto"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

// The library reads a form the same, with a copy of each file.
func libraryReads(body []byte, boundary string) (url.Values, map[string][]string, error) {
	sent, err := multipart.NewReader(bytes.NewReader(body), boundary).ReadForm(1 << 20)
	if err != nil {
		return nil, nil, err
	}
	files := map[string][]string{}
	for name, list := range sent.File {
		for _, header := range list {
			f, err := header.Open()
			if err != nil {
				return nil, nil, err
			}
			content, err := io.ReadAll(f)
			if err != nil {
				return nil, nil, err
			}
			files[name] = append(files[name], header.Filename+" "+string(content))
		}
	}
	return sent.Value, files, nil
}

func sameForm(t *testing.T, body []byte, boundary string) (copied int) {
	t.Helper()
	values, files, err := ReadMultipart(body, boundary)
	wantValues, wantFiles, wantErr := libraryReads(body, boundary)
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("%.300q: %v, the library: %v", body, err, wantErr)
	}
	got := map[string][]string{}
	for name, list := range files {
		for _, f := range list {
			read, err := io.ReadAll(f.Open())
			if err != nil || !bytes.Equal(read, f.Open().Whole()) || f.Size != int64(len(read)) {
				t.Fatalf("%.300q: read and whole differ", body)
			}
			got[name] = append(got[name], f.Filename+" "+string(read))
			if len(read) > 0 && !partOf(body, f.content) {
				copied++
			}
		}
	}
	if !maps.EqualFunc(map[string][]string(values), map[string][]string(wantValues), slices.Equal) || !maps.EqualFunc(got, wantFiles, slices.Equal) {
		t.Fatalf("%.300q:\n%q %q\nthe library:\n%q %q", body, values, got, wantValues, wantFiles)
	}
	return copied
}

// partOf reports whether content is a part of body, and not of another array.
func partOf(body, content []byte) bool {
	first, last := uintptr(unsafe.Pointer(unsafe.SliceData(body))), uintptr(unsafe.Pointer(unsafe.SliceData(content)))
	return last >= first && last < first+uintptr(len(body))
}

// Forms are read as the library reads them, and files are not copied: between fields, with anything that looks like a boundary in them.
func TestReadMultipart(t *testing.T) {
	t.Parallel()
	contents := []string{"", "x", "\r\n", "\r\n\r\n", "--", "a--BOUND", "\r\n--BOUN", "--BOUND in a line\n--BOUND", strings.Repeat("\x00\xff\r\n", 40000)}
	for i, first := range contents {
		for _, second := range contents {
			var body bytes.Buffer
			w := multipart.NewWriter(&body)
			if err := w.SetBoundary("BOUND"); err != nil {
				t.Fatal(err)
			}
			add := func(write func() (io.Writer, error), content string) {
				part, err := write()
				if err == nil {
					_, err = io.WriteString(part, content)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			add(func() (io.Writer, error) { return w.CreateFormField("title") }, second)
			add(func() (io.Writer, error) { return w.CreateFormFile("file", fmt.Sprintf("a%d.png", i)) }, first)
			add(func() (io.Writer, error) { return w.CreatePart(textproto.MIMEHeader{"X-Nothing": {"1"}}) }, first)
			add(func() (io.Writer, error) { return w.CreateFormFile("file", "b.png") }, second)
			add(func() (io.Writer, error) { return w.CreateFormField("title") }, "again")
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			for cut := range 4 {
				copied := sameForm(t, body.Bytes()[:body.Len()-cut*7], "BOUND")
				if copied > 0 {
					t.Errorf("%d files are copied of %.200q", copied, body.String())
				}
			}
		}
	}
}

// What the library decodes, or finds otherwise, is right, if copied.
func TestReadOddMultipart(t *testing.T) {
	t.Parallel()
	const field, file = "Content-Disposition: form-data; name=\"a\"", "Content-Disposition: form-data; name=\"f\"; filename=\"f.txt\""
	for _, body := range []string{
		"--B\r\n" + file + "\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n=41=42\r\n--B\r\n" + file + "\r\n\r\nC\r\n--B--",
		"preamble --B inside\r\n--B\r\n" + file + "\r\n\r\ntext\r\n--B--\r\nepilogue",
		"--B\n" + file + "\n\ntext\n--B\n" + field + "\n\nb\n--B--\n",
		"--B  \r\n" + field + "\r\n\r\nx--B\r\n--B\r\n" + file + "\r\n\r\ntext\r\n--B--",
		"--B\r\n\r\nno headers\r\n--B\r\n" + file + "\r\n\r\ntext\r\n--B--", "--B--", "", "--B\r\n", "no form",
	} {
		sameForm(t, []byte(body), "B")
	}
	if _, _, err := ReadMultipart([]byte(strings.Repeat("--B\r\n"+field+"\r\n\r\nx\r\n", mostParts)+"--B--"), "B"); err == nil {
		t.Error("a form of a thousand parts is read")
	}
}

func FuzzReadMultipart(f *testing.F) {
	f.Add([]byte("--B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f.txt\"\r\n\r\ntext\r\n--B--"))
	f.Fuzz(func(t *testing.T, body []byte) { sameForm(t, body, "B") })
}
