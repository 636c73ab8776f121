package public

import (
	"context"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/openapi"
	"github.com/kalends/kalends/web/ui"
)

// ReferencePath is where the description of the API is for people, the language aside.
const ReferencePath = "/api-reference/"

// reference shows what the API offers, all of it in short or one resource in full.
func (w *Pages) reference(ctx context.Context, a asked) (*shown, error) {
	if w.document == nil {
		return nil, calendar.ErrNotFound
	}
	d, err := openapi.Read(w.document(ctx))
	if err != nil {
		return nil, err
	}
	p := &page{title: ui.Say(ctx, "reference.title"), path: ReferencePath, description: d.Description}
	answer := &shown{page: p}
	name := a.param("resource")
	if name == "" {
		answer.body = referencePage(d)
		return answer, nil
	}
	r := d.Resource(name)
	if r == nil {
		return nil, calendar.ErrNotFound
	}
	p.path += r.Name + "/"
	p.title, p.description = brief(r.Description), r.Description
	answer.body = resourcePage(d, r)
	return answer, nil
}

// brief is what a description says before its colon.
func brief(text string) string {
	for _, colon := range []string{":", "："} {
		text, _, _ = strings.Cut(text, colon)
	}
	return strings.TrimSpace(text)
}

// documentPath is where the API describes itself to programs.
func documentPath(ctx context.Context) string { return tenancy.Current(ctx).Base.API() + "/doc" }

// foundBy are the words by which an operation is found: all that is said of it in short, and the
// names of its arguments.
func foundBy(o *openapi.Operation) string {
	words := []string{o.Method, o.Path, o.Summary, o.ID}
	for _, a := range append(o.Arguments, o.Fields...) {
		words = append(words, a.Name)
	}
	return strings.ToLower(strings.Join(words, " "))
}

// resourceHref leads to the page of a resource.
func resourceHref(ctx context.Context, r *openapi.Resource) string {
	return ui.Href(ctx, ReferencePath+r.Name+"/")
}
