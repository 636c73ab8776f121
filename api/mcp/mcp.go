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
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
)

// Path is the address of the protocol on a site.
const Path = "/mcp"

// maxMessage is the largest message that is read, in bytes.
const maxMessage = 1 << 20

// assistance is what assistants may do on sites.
type assistance struct {
	calendar *services.Calendar
	tools    []tool
	explain  func(error) api.Failure
}

// Mount adds the protocol to an app whose middleware sets the scope. The tools use routes of the API of a calendar. explain turns
// an error into a message for clients.
func Mount(app fiber.Router, routes []api.Route, c *services.Calendar, explain func(error) api.Failure) {
	a := &assistance{calendar: c, tools: toolset(routes), explain: explain}
	handler := mcp.NewStreamableHTTPHandler(func(r *http.Request) *mcp.Server { return a.serverFor(r.Context()) },
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
func (a *assistance) serverFor(ctx context.Context) *mcp.Server {
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
	for i := range a.tools {
		t := &a.tools[i]
		if !t.open(scope.Principal) {
			continue
		}
		s.AddTool(described(t, language), func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			answer, err := t.call(ctx, a.calendar, r.Params.Arguments)
			if err != nil {
				return refused(a.explain(err), language), nil
			}
			return told(answer, language), nil
		})
	}
	return s
}

func described(t *tool, language string) *mcp.Tool {
	no := false
	return &mcp.Tool{
		Name:        t.name,
		Description: t.description(language),
		InputSchema: t.schema(language),
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: t.reads, OpenWorldHint: &no, DestructiveHint: &no},
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

// refused is the result of a tool whose call failed: the error as the REST interface would return it.
func refused(f api.Failure, language string) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: string(f.JSON(language))}}}
}
