package discovery

import (
	"context"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/openapi"
	"github.com/kalends/kalends/web/public/layout"
	"github.com/kalends/kalends/web/ui"
)

// ReferencePath is the path of the API reference for people, without language.
const ReferencePath = "/api-reference/"

// reference shows the API: a summary, or one resource in full.
func (w *Pages) reference(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	if w.document == nil {
		return nil, calendar.ErrNotFound
	}
	d, err := openapi.Read(w.document(ctx))
	if err != nil {
		return nil, err
	}
	p := &layout.Page{Title: ui.Say(ctx, "reference.title"), Path: ReferencePath, Sheet: "reference.css", Description: d.Description}
	answer := &layout.Shown{Page: p}
	name := a.Param("resource")
	if name == "" {
		answer.Body = referencePage(d)
		return answer, nil
	}
	r := d.Resource(name)
	if r == nil {
		return nil, calendar.ErrNotFound
	}
	p.Path += r.Name + "/"
	p.Title, p.Description = brief(r.Description), r.Description
	answer.Body = resourcePage(d, r)
	return answer, nil
}

// brief returns the part of a description before the colon.
func brief(text string) string {
	for _, colon := range []string{":", "："} {
		text, _, _ = strings.Cut(text, colon)
	}
	return strings.TrimSpace(text)
}

// documentPath returns the address of the API's OpenAPI document.
func documentPath(ctx context.Context) string { return tenancy.Current(ctx).Base.API() + "/doc" }

// foundBy returns the words by which an operation can be found: its summary and the names of its arguments.
func foundBy(o *openapi.Operation) string {
	words := []string{o.Method, o.Path, o.Summary, o.ID}
	for _, a := range append(o.Arguments, o.Fields...) {
		words = append(words, a.Name)
	}
	return strings.ToLower(strings.Join(words, " "))
}

// resourceHref returns the address of the page of a resource.
func resourceHref(ctx context.Context, r *openapi.Resource) string {
	return ui.Href(ctx, ReferencePath+r.Name+"/")
}
