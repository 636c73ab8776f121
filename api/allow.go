package api

import (
	"errors"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// rights are the permissions needed to write to a resource at all.
var rights = map[string]tenancy.Permission{
	"event": tenancy.EditOwn, "venue": tenancy.EditOwn, "organizer": tenancy.EditOwn, "image": tenancy.Upload,
	"picture":  tenancy.Upload, // an image at the address of WordPress
	"category": calendar.Categories.Right(), "tag": calendar.Tags.Right(), "submission": submissions.Right,
	"webhook": tenancy.ManageSite, "source": tenancy.ManageSite,
}

// Allowed returns the methods that a caller may use on a path (rule 4.6), separated by commas. The outcome of the request
// counts, if there is one: the answer shows who may edit the item, and an error may show that the caller may not.
func Allowed(routes []*Route, p tenancy.Principal, a *Answer, err error) string {
	writes := !denied(err) && (a == nil || a.May == nil || a.May(p))
	var methods []string
	for _, r := range routes {
		if r.Methods[0] == fiber.MethodGet || r.Anybody || writes && p.May(rights[r.Resource]) && r.Opened(p) == nil {
			methods = append(methods, r.Methods...)
		}
	}
	return strings.Join(methods, ", ")
}

// denied reports whether an error means that the caller lacks a permission on an item.
func denied(err error) bool {
	for _, refusal := range []error{tenancy.ErrForbidden, tenancy.ErrUnauthenticated, calendar.ErrNotReadable, calendar.ErrPassword} {
		if errors.Is(err, refusal) {
			return true
		}
	}
	return false
}

// About records which item an answer shows, so that the header Allow lists the methods that the caller may use on it.
func (a *Answer) About(post *calendar.Post) *Answer {
	author, status := post.Author, post.Status
	a.May = func(p tenancy.Principal) bool {
		return calendar.MayEdit(p, &calendar.Post{Author: author, Status: status})
	}
	return a
}

// allowing sets the Allow header in every response of a path.
func allowing(routes []*Route, next fiber.Handler) fiber.Handler {
	return func(c *fiber.Ctx) error {
		err := next(c)
		answer, _ := c.Locals(Made).(*Answer)
		why := err
		if err != nil && answer == nil && !denied(err) { // nothing was found out about the item yet
			answer, why = looked(c, routes)
		}
		c.Set(fiber.HeaderAllow, Allowed(routes, tenancy.Current(c.UserContext()).Principal, answer, why))
		return err
	}
}

// looked reads the item of a path, if it is that of one and the reader might write it.
func looked(c *fiber.Ctx, routes []*Route) (*Answer, error) {
	ctx := c.UserContext()
	p := tenancy.Current(ctx).Principal
	entry, err := key(c, tenancy.Current(ctx))
	if err != nil || entry == (calendar.Key{}) || len(routes) < 2 || !p.May(rights[routes[0].Resource]) || routes[0].Opened(p) != nil {
		return nil, err
	}
	return routes[0].Run(ctx, Call{Key: entry, Values: args.Values{}})
}

// options describes a path (rule 4.6) and, if the path is that of an item, the methods that the reader may use on it.
func (a *API) options(c *fiber.Ctx, path []*Route) error {
	ctx := c.UserContext()
	answer, err := looked(c, path)
	c.Set(fiber.HeaderAllow, Allowed(path, tenancy.Current(ctx).Principal, answer, err))
	c.Set(fiber.HeaderContentType, ContentType)
	v := a.newView(ctx)
	v.DescribePath(path)
	return c.Send(v.Bytes)
}
