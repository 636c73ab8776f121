package platform

import (
	"mime"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/internal/args"
)

// Streams reports whether a request sends an archive, which may be larger than other bodies and is read while it arrives.
func Streams(c *fiber.Ctx) bool {
	path := strings.ToLower(strings.TrimSuffix(c.Path(), "/"))
	return c.Method() == fiber.MethodPost && (path == api.PlatformNamespace+importPath ||
		strings.HasPrefix(path, api.PlatformNamespace+"/sites/") && strings.HasSuffix(path, restorePath))
}

// archiveSource parses the arguments of a request whose body is an archive, which are in the query.
func archiveSource(c *fiber.Ctx) (api.Call, error) {
	request := api.Call{Values: map[string]any{}}
	args.ReadForm(request.Values, string(c.Context().URI().QueryString()))
	kind, _, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	if err != nil || kind != api.ZipType && kind != "application/octet-stream" {
		return request, api.ErrMediaType
	}
	request.Body = strings.NewReader("")
	if stream := c.Context().RequestBodyStream(); stream != nil {
		request.Body = args.Incoming(stream, c.Context().Conn())
	}
	return request, nil
}
