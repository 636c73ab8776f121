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

// ZipType is the media type of archives.
const ZipType = "application/zip"

// File is a response other than JSON.
type File struct {
	Content io.ReadSeekCloser
	Size    int64
	MIME    string
	Name    string // name to save it as
}

// send sends a file or the requested range of it (RFC 9110 §14), so that a download can be resumed as long as the
// tag is the same.
func (f *File) send(c *fiber.Ctx, tag string) error {
	c.Set(fiber.HeaderContentType, f.MIME)
	c.Set(fiber.HeaderAcceptRanges, "bytes")
	c.Set(fiber.HeaderContentDisposition, mime.FormatMediaType("attachment", map[string]string{"filename": f.Name}))
	start, length, status := int64(0), f.Size, fiber.StatusOK
	if unless := c.Get(fiber.HeaderIfRange); unless == "" || unless == tag {
		from, n, asked, err := byteRange(c.Get(fiber.HeaderRange), f.Size)
		if err != nil {
			c.Set(fiber.HeaderContentRange, fmt.Sprintf("bytes */%d", f.Size))
			return errors.Join(err, f.Content.Close())
		}
		if asked {
			start, length, status = from, n, fiber.StatusPartialContent
			c.Set(fiber.HeaderContentRange, fmt.Sprintf("bytes %d-%d/%d", start, start+length-1, f.Size))
		}
	}
	if _, err := f.Content.Seek(start, io.SeekStart); err != nil {
		return errors.Join(err, f.Content.Close())
	}
	c.Status(status)
	c.Context().SetBodyStream(&outgoing{io.LimitReader(f.Content, length), f.Content, c.Context().Conn()}, int(length))
	return nil
}

// close closes the file of an answer that is not sent.
func (a *Answer) close() error {
	if a.File == nil {
		return nil
	}
	return a.File.Content.Close()
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
