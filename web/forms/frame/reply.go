package frame

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/web/ui"
)

// ExportTime is the time limit of an export.
const ExportTime = 10 * time.Minute

// StreamReply sends a file piece by piece. An error ends it early.
func StreamReply(kind, name string, write func(*bufio.Writer) error) *Reply {
	return &Reply{Write: func(c *fiber.Ctx) error {
		c.Set(fiber.HeaderContentType, kind)
		c.Set(fiber.HeaderContentDisposition, `attachment; filename="`+name+`"`)
		if c.Method() == fiber.MethodHead {
			return nil // for HEAD, the end of a stream would be sent as well, and be taken for the next response
		}
		c.Context().SetBodyStreamWriter(func(out *bufio.Writer) {
			if err := write(out); err == nil {
				_ = out.Flush()
			}
		})
		return nil
	}}
}

// PartReply responds to a script with part of a page.
func PartReply(status int, body templ.Component) *Reply {
	return &Reply{Status: status, Body: body, Part: true}
}

// Invited returns the reply to an invitation. If it says that a link has been e-mailed, it says to whom.
func Invited(r *Reply, u *tenancy.User) *Reply {
	if r != nil && r.Say == "mailed" {
		r.Say, r.By = "mailed.to", u.Name+" ("+u.Email+")"
	}
	return r
}

// Reply is the response to a visit: a page or a redirect.
type Reply struct {
	Status   int // 0 means 200
	Title    string
	Section  string // of the navigation
	Body     templ.Component
	Bare     bool // without navigation
	Redirect string
	Here     string                 // address of the page, if it differs from the visit's
	FormsTo  string                 // another origin that forms on the page may lead to
	Say      string                 // text key of a message to show on the next page
	Count    int                    // number in that message
	By       string                 // name in that message
	See      string                 // address on the site of what that message is about
	Undo     string                 // action that the next page can undo
	Token    *string                // token of a new session; "" ends the current one
	Support  *string                // token of a session of the provider's support; "" ends it
	Device   string                 // token by which the browser will be recognized
	Stay     *string                // token of a sign-in at the lobby; "" ends it
	Came     *string                // records that the browser came from the lobby; "" clears it
	Asked    *string                // token of a challenge for a device; "" clears it
	Start    *string                // chosen start page of the administration
	Language string                 // chosen language
	Theme    *tenancy.Theme         // chosen theme
	Write    func(*fiber.Ctx) error // writes the response instead of a page
	Text     string                 // a text for a script, instead of a page
	Retry    string                 // Retry-After in seconds
	Script   string                 // bundle of the page's scripts, if not the usual one
	Part     bool                   // the page without its frame, for a script
	Frames   bool                   // the page embeds pages of the site
	Refresh  bool                   // the browser reloads the page after a few seconds
}

// Framed reports whether the response is a page with navigation.
func (r *Reply) Framed() bool {
	return r.Redirect == "" && r.Write == nil && r.Text == "" && !r.Part && !r.Bare
}

// policy allows a page its own style sheets, script and images, and forms to its own site.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data: https:; font-src 'self'; " +
	"connect-src 'self'; " +
	"form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// partHeader marks requests of a page's scripts. Other origins cannot send it without permission.
const partHeader = "Kalends-Part"

// Send writes a reply.
func Send(c *fiber.Ctx, v *Visit, r *Reply) error {
	headers(c)
	r.remember(c)
	if r.Retry != "" {
		c.Set(fiber.HeaderRetryAfter, r.Retry)
	}
	if forms := cmp.Or(r.FormsTo, v.FormsTo); forms != "" {
		c.Set(fiber.HeaderContentSecurityPolicy, strings.Replace(policy, "form-action 'self'", "form-action 'self' "+forms, 1))
	}
	if r.FormsTo != "" {
		c.Set(fiber.HeaderReferrerPolicy, "strict-origin") // pages check the origin of forms
	}
	if r.Redirect != "" {
		if r.Say != "" {
			Cookie(c, saidCookie, saidValue(r.Say, r.Count, r.By, r.See), 60)
		}
		if r.Undo != "" {
			Cookie(c, UndoCookie, r.Undo, 60)
		}
		return c.Redirect(r.Redirect, fiber.StatusSeeOther)
	}
	if r.Status == 0 {
		r.Status = http.StatusOK
	}
	switch {
	case r.Write != nil:
		return r.Write(c)
	case r.Text != "":
		c.Set(fiber.HeaderContentType, fiber.MIMETextPlainCharsetUTF8)
		return c.Status(r.Status).SendString(r.Text)
	}
	body := r.Body
	if !r.Part {
		if v.said != "" {
			Cookie(c, saidCookie, "", 0)
		}
		if v.Undo != "" {
			Cookie(c, UndoCookie, "", 0)
		}
		s := newShell(v, r)
		s.lobby = s.root == AdminRoot && v.Lobby
		if r.Frames {
			c.Set(fiber.HeaderContentSecurityPolicy, policy+"; frame-src 'self'")
		}
		var err error
		if body, err = framed(v.Ctx, s, body); err != nil {
			return err
		}
	}
	var b bytes.Buffer
	if err := body.Render(v.Ctx, &b); err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, "text/html; charset=utf-8")
	return sendPage(c.Status(r.Status), b.Bytes())
}

// framed puts the frame around the content of a page.
func framed(ctx context.Context, s *shell, body templ.Component) (templ.Component, error) {
	var b strings.Builder
	if err := body.Render(ctx, &b); err != nil {
		return nil, err
	}
	return layout(s, templ.Raw(b.String())), nil
}

// remember sets the cookies that outlast the next page.
func (r *Reply) remember(c *fiber.Ctx) {
	if r.Token != nil {
		Cookie(c, SessionCookie(c), *r.Token, sessionSeconds)
		hint(c, *r.Token != "")
	}
	if r.Support != nil {
		Cookie(c, SupportCookie(c), *r.Support, int(accounts.SupportLife.Seconds()))
	}
	if r.Device != "" {
		Cookie(c, deviceCookie(c), r.Device, int(accounts.DeviceLife.Seconds()))
	}
	if r.Stay != nil {
		Cookie(c, stayCookie(c), *r.Stay, int(accounts.StayLife.Seconds()))
	}
	if r.Came != nil {
		Cookie(c, cameCookie, *r.Came, int(accounts.StayLife.Seconds()))
	}
	if r.Asked != nil {
		Cookie(c, askedCookie(c), *r.Asked, int(accounts.ChallengeLife.Seconds()))
	}
	if r.Language != "" {
		ui.RememberLanguage(c, r.Language, baseOf(c).Secure())
	}
	if r.Start != nil {
		Cookie(c, startCookie, *r.Start, 365*24*60*60)
	}
	if r.Theme != nil {
		Cookie(c, themeCookie, string(*r.Theme), 365*24*60*60)
	}
}

func headers(c *fiber.Ctx) {
	c.Set(fiber.HeaderCacheControl, "private, no-store")
	c.Set(fiber.HeaderContentSecurityPolicy, policy)
	c.Set(fiber.HeaderReferrerPolicy, "same-origin")
	c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	c.Set("Cross-Origin-Opener-Policy", "same-origin")
	c.Set("X-Robots-Tag", "noindex")
}

// TextReply tells a script why something failed.
func TextReply(status int, text string) *Reply { return &Reply{Status: status, Text: text} }
