// Package mcp lets assistants use a site through the Model Context Protocol: over HTTP, without sessions. Its tools
// are those of the REST interface, so services, rights, scopes and limits are the same.
package mcp

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"

	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/middleware/adaptor"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
)

// Path is the address of the protocol on a site.
const Path = "/mcp"

// maxMessage is the largest message that is read, in bytes.
const maxMessage = 1 << 20

// Mount adds the protocol to an app whose middleware sets the scope. explain turns an error into a message for
// clients.
func Mount(app fiber.Router, a *api.API, explain func(error) api.Failure) {
	handler := mcp.NewStreamableHTTPHandler(func(r *http.Request) *mcp.Server { return serverFor(r.Context(), a, explain) },
		&mcp.StreamableHTTPOptions{
			Stateless:                  true,
			JSONResponse:               true,
			DisableLocalhostProtection: true, // the host identifies the site, and may come from a proxy
			Logger:                     slog.New(slog.DiscardHandler),
		})
	app.All(Path, func(c *fiber.Ctx) error {
		if len(c.Request().Body()) > maxMessage {
			return api.ErrTooLarge
		}
		if c.Method() != fiber.MethodPost {
			c.Set(fiber.HeaderAllow, fiber.MethodPost)
			return api.ErrMethod
		}
		ctx := c.UserContext()
		c.Set(fiber.HeaderCacheControl, "private, no-store")
		return adaptor.HTTPHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			handler.ServeHTTP(w, r.WithContext(ctx))
		}))(c)
	})
}

// serverFor returns a server with the tools that the caller may use, in the language of the request.
func serverFor(ctx context.Context, a *api.API, explain func(error) api.Failure) *mcp.Server {
	scope := tenancy.Current(ctx)
	language := scope.Language
	name := scope.Site.WordsIn(language).Name
	s := mcp.NewServer(&mcp.Implementation{Name: "kalends", Title: name, Version: api.Version},
		&mcp.ServerOptions{
			Instructions: i18n.Text(language, "tool.instructions", map[string]any{"Site": name, "Zone": scope.Site.Timezone}),
			// The tools depend on the caller.
			SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { c.CacheScope = "private" },
			Logger:       slog.New(slog.DiscardHandler),
			Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
		})
	for _, tool := range a.Tools(ctx) {
		s.AddTool(described(&tool, language), func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			answer, err := tool.Call(ctx, r.Params.Arguments)
			if err != nil {
				return refused(explain(err), language), nil
			}
			return told(answer, language), nil
		})
	}
	return s
}

func described(t *api.Tool, language string) *mcp.Tool {
	no := false
	return &mcp.Tool{
		Name:        t.Name,
		Description: t.Description(language),
		InputSchema: t.Schema(language),
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: t.Reads, OpenWorldHint: &no, DestructiveHint: &no},
	}
}

// told returns the result of a tool. Texts by people are between marks, after a sentence that explains this. No
// text can contain the end mark, because < is escaped in texts.
func told(answer []byte, language string) *mcp.CallToolResult {
	var text bytes.Buffer
	text.WriteString("<data>\n")
	text.Write(bytes.ReplaceAll(bytes.TrimSpace(answer), []byte("<"), []byte(`\u003c`)))
	text.WriteString("\n</data>")
	return &mcp.CallToolResult{Content: []mcp.Content{
		&mcp.TextContent{Text: i18n.Text(language, "tool.data", nil)},
		&mcp.TextContent{Text: text.String()},
	}}
}

// refused is the result of a tool that was refused, as the interface tells it.
func refused(f api.Failure, language string) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: string(f.JSON(language))}}}
}
