package api

import (
	"errors"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"os"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Streams reports whether a request sends a file with events, which may be larger than other bodies: it is read while it
// arrives, and waits on disk.
func Streams(c *fiber.Ctx) bool {
	path := strings.ToLower(strings.TrimSuffix(c.Path(), "/"))
	kind, _, _ := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	return c.Method() == fiber.MethodPost && kind == "multipart/form-data" && strings.HasSuffix(path, "/imports") &&
		!strings.HasPrefix(path, PlatformNamespace)
}

// importSource returns the arguments and the file of a request to import. It does not read files for callers
// without credentials.
func importSource(c *fiber.Ctx) (Call, error) {
	stream := c.Context().RequestBodyStream()
	if stream == nil || !Streams(c) {
		return Arguments(c, true)
	}
	if err := tenancy.Current(c.UserContext()).Principal.Require(tenancy.EditOwn); err != nil {
		return Call{}, err
	}
	request := Call{Asked: args.Values{}, sent: args.Values{}}
	args.ReadForm(request.Asked, string(c.Context().URI().QueryString()))
	_, parameters, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	if err != nil {
		return request, ErrMediaType
	}
	request.Upload, err = formOf(multipart.NewReader(args.Incoming(stream, c.Context().Conn()), parameters["boundary"]), request.sent)
	request.Values = maps.Clone(request.Asked)
	maps.Copy(request.Values, request.sent)
	return request, err
}

// formOf reads the fields of a form into values and returns its file, or nil.
func formOf(form *multipart.Reader, values args.Values) (file *Upload, err error) {
	fields, left := args.Form{}, int64(MaxBody)
	defer func() {
		if err != nil && file != nil {
			_ = file.Content.Close()
		}
	}()
	for {
		part, err := form.NextPart()
		switch {
		case err == io.EOF: //nolint:errorlint // wrapped, it is a form without end
			fields.Into(values)
			return file, nil
		case err != nil:
			return file, ErrMediaType
		case part.FileName() != "" && part.FormName() == "file" && file == nil:
			if file, err = waiting(part); err != nil {
				return file, err
			}
		case part.FileName() == "":
			text, err := io.ReadAll(io.LimitReader(part, left+1))
			if left -= int64(len(text)); err != nil || left < 0 {
				return file, ErrTooLarge
			}
			fields.Add(part.FormName(), string(text))
		}
	}
}

// waiting stores a file of a form in an unlinked temporary file, which disappears when it is closed.
func waiting(part *multipart.Part) (*Upload, error) {
	file, err := os.CreateTemp("", "kalends-*")
	if err != nil {
		return nil, err
	}
	n, err := io.Copy(file, io.LimitReader(part, imports.MaxBytes+1))
	switch err = errors.Join(err, os.Remove(file.Name())); {
	case err != nil:
		return nil, errors.Join(ErrMediaType, err, file.Close())
	case n > imports.MaxBytes:
		return nil, errors.Join(ErrTooLarge, file.Close())
	}
	_, err = file.Seek(0, io.SeekStart)
	return &Upload{Name: part.FileName(), Content: file}, err
}
