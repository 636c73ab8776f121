package args

import (
	"bytes"
	"errors"
	"io"
	"mime/multipart"
	"net/url"
)

// mostParts is the maximum number of parts of a form.
const mostParts = 1000

// File is a file of a form. Its content is a part of the request's body, of which there is no copy.
type File struct {
	Filename string
	Size     int64
	content  []byte
}

// Open returns the content.
func (f *File) Open() *Content { return NewContent(f.content) }

// Content is the content of a file that is in memory.
type Content struct {
	*bytes.Reader

	all []byte
}

// NewContent returns bytes as the content of a file.
func NewContent(all []byte) *Content { return &Content{bytes.NewReader(all), all} }

// Whole returns the whole content, which must not be changed.
func (c *Content) Whole() []byte { return c.all }

// Close implements io.Closer.
func (*Content) Close() error { return nil }

// ReadMultipart returns the fields and files of a multipart form, by name, or an error if it is malformed. The files are parts of
// the body.
func ReadMultipart(body []byte, boundary string) (url.Values, map[string][]*File, error) {
	values, files := url.Values{}, map[string][]*File{}
	form, in := multipart.NewReader(bytes.NewReader(body), boundary), &partFinder{body: body, line: []byte("--" + boundary)}
	for range mostParts {
		part, err := form.NextPart()
		if err == io.EOF { //nolint:errorlint // wrapped, it is a form without end
			return values, files, nil
		}
		if err != nil {
			return nil, nil, err
		}
		content, err := in.read(part)
		if err != nil {
			return nil, nil, err
		}
		switch name, file := part.FormName(), part.FileName(); {
		case name == "":
		case file == "":
			values.Add(name, string(content))
		default:
			files[name] = append(files[name], &File{file, int64(len(content)), content})
		}
	}
	return nil, nil, multipart.ErrMessageTooLarge
}

// partFinder finds in a body what is read of its parts, so that it need not be copied.
type partFinder struct {
	body, line []byte
	rest       int  // where the unread part begins
	lost       bool // a part was not found
}

// read returns the content of the next part. What is not found, such as encoded text, is copied.
func (f *partFinder) read(part *multipart.Part) ([]byte, error) {
	content := f.begin()
	seen, more := 0, []byte(nil)
	for buffer := make([]byte, 4<<10); ; {
		n, err := part.Read(buffer)
		if !f.lost && bytes.HasPrefix(content[seen:], buffer[:n]) {
			seen += n
		} else {
			f.lost = true
			more = append(more, buffer[:n]...)
		}
		switch {
		case errors.Is(err, io.EOF) && more != nil:
			return append(bytes.Clone(content[:seen]), more...), nil
		case errors.Is(err, io.EOF):
			f.rest += seen
			return content[:seen:seen], nil
		case err != nil:
			return nil, err
		}
	}
}

// begin returns the rest of the body from where the content of the next part should begin: after a line with the boundary, headers and
// an empty line.
func (f *partFinder) begin() []byte {
	for _, end := range [][]byte{f.line, []byte("\r\n\r\n")} {
		i := bytes.Index(f.body[f.rest:], end)
		if f.lost = f.lost || i < 0; f.lost {
			return nil
		}
		f.rest += i + len(end)
	}
	return f.body[f.rest:]
}
