package api

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/internal/args"
)

// ErrRange is returned if a Range does not overlap the file.
var ErrRange = errors.New("nothing in that range")

const zipType = "application/zip"

// file is a response other than JSON.
type file struct {
	content io.ReadSeekCloser
	size    int64
	mime    string
	name    string // name to save it as
}

// send sends a file or the requested range of it (RFC 9110 §14), so that a download can be resumed as long as the
// tag is the same.
func (f *file) send(c *fiber.Ctx, tag string) error {
	c.Set(fiber.HeaderContentType, f.mime)
	c.Set(fiber.HeaderAcceptRanges, "bytes")
	c.Set(fiber.HeaderContentDisposition, mime.FormatMediaType("attachment", map[string]string{"filename": f.name}))
	start, length, status := int64(0), f.size, fiber.StatusOK
	if unless := c.Get(fiber.HeaderIfRange); unless == "" || unless == tag {
		from, n, asked, err := byteRange(c.Get(fiber.HeaderRange), f.size)
		if err != nil {
			c.Set(fiber.HeaderContentRange, fmt.Sprintf("bytes */%d", f.size))
			return errors.Join(err, f.content.Close())
		}
		if asked {
			start, length, status = from, n, fiber.StatusPartialContent
			c.Set(fiber.HeaderContentRange, fmt.Sprintf("bytes %d-%d/%d", start, start+length-1, f.size))
		}
	}
	if _, err := f.content.Seek(start, io.SeekStart); err != nil {
		return errors.Join(err, f.content.Close())
	}
	c.Status(status)
	c.Context().SetBodyStream(&outgoing{io.LimitReader(f.content, length), f.content, c.Context().Conn()}, int(length))
	return nil
}

// close closes the file of an answer that is not sent.
func (a *Answer) close() error {
	if a.file == nil {
		return nil
	}
	return a.file.content.Close()
}

// byteRange parses the Range header. Multiple ranges and invalid headers are ignored, so that the whole file is sent.
func byteRange(header string, size int64) (start, length int64, asked bool, err error) {
	spec, ok := strings.CutPrefix(header, "bytes=")
	first, last, both := strings.Cut(strings.TrimSpace(spec), "-")
	if !ok || !both || strings.Contains(spec, ",") {
		return 0, 0, false, nil
	}
	end := size - 1
	if first == "" { // a suffix range
		n, err := strconv.ParseInt(last, 10, 64)
		if err != nil || n < 0 {
			return 0, 0, false, nil //nolint:nilerr // invalid, ignored
		}
		start = max(0, size-n)
	} else {
		if start, err = strconv.ParseInt(first, 10, 64); err != nil || start < 0 {
			return 0, 0, false, nil //nolint:nilerr // as above
		}
		if last != "" {
			if end, err = strconv.ParseInt(last, 10, 64); err != nil || end < start {
				return 0, 0, false, nil //nolint:nilerr // as above
			}
			end = min(end, size-1)
		}
	}
	if start > end {
		return 0, 0, false, ErrRange
	}
	return start, end - start + 1, true, nil
}

// outgoing extends the write deadline with every piece read.
type outgoing struct {
	io.Reader
	io.Closer
	conn net.Conn
}

func (o *outgoing) Read(p []byte) (int, error) {
	end := time.Now().Add(args.TransferTimeout) //nolint:forbidigo // a connection needs the real clock
	if err := o.conn.SetWriteDeadline(end); err != nil {
		return 0, err
	}
	return o.Reader.Read(p)
}

// Streams reports whether the body of a request is read while it arrives, because an archive, or a file to
// import, may be larger than other bodies. All other bodies are read completely, within the limits of the server.
func Streams(c *fiber.Ctx) bool {
	path := strings.ToLower(strings.TrimSuffix(c.Path(), "/"))
	return eventsImport(c) || c.Method() == fiber.MethodPost && (path == PlatformNamespace+importPath ||
		strings.HasPrefix(path, PlatformNamespace+"/sites/") && strings.HasSuffix(path, restorePath))
}

// archiveSource parses the arguments of a request whose body is an archive, which are in the query.
func archiveSource(c *fiber.Ctx) (Call, error) {
	request := Call{Values: map[string]any{}}
	args.ReadForm(request.Values, string(c.Context().URI().QueryString()))
	kind, _, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	if err != nil || kind != zipType && kind != "application/octet-stream" {
		return request, ErrMediaType
	}
	request.body = strings.NewReader("")
	if stream := c.Context().RequestBodyStream(); stream != nil {
		request.body = args.Incoming(stream, c.Context().Conn())
	}
	return request, nil
}
