package api

import (
	"context"
	"maps"

	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// importRoutes are the routes of imports.
func (a *API) importRoutes() []Route {
	const (
		get, post, del = "GET", "POST", "DELETE"
		read, create   = args.Reading, args.Creating
		kind, one      = "import", "Import"
		all, id        = "/imports", "/imports/{id}"
	)
	return []Route{
		On[Nothing](get, all, "imports.list", read, a.listImports).Of(kind, "ImportList").By(tenancy.WriteImports).more(),
		On[Nothing](post, all, "imports.create", create, a.startImport).Of(kind, one).By(tenancy.WriteImports).
			Reading(importSource).Later().more(),
		On[ByID](get, id, "imports.get", read, a.getImport).Of(kind, one).By(tenancy.WriteImports).more(),
		On[ByID](del, id, "imports.delete", read, a.removeImport).Of(kind, one).By(tenancy.WriteImports).more(),
		On[ByID](get, id+"/entries", "imports.entries.list", read, a.listEntries).Of(kind, "ImportEntryList").
			By(tenancy.WriteImports).more(),
		On[ByID](post, id+"/run", "imports.run", read, a.runImport).Of(kind, one).By(tenancy.WriteImports).Later().more(),
		On[ByID](post, id+"/undo", "imports.undo", read, a.undoImport).Of(kind, one).By(tenancy.WriteImports).Later().more(),
	}
}

func (a *API) listImports(ctx context.Context, _ Call, in *imports.Filter) (*Answer, error) {
	page, err := a.Imports.List(ctx, in)
	if err != nil {
		return nil, err
	}
	var links Params
	links.ID("source", in.Source.Or(0))
	links.Length(in.Length())
	v := NewView(scopeOf(ctx))
	v.List("imports", len(page.Items), func(i int) { v.importOf(page.Items[i]) })
	return unkept(v.Paged(Listing{Collection: "imports", Page: in.Number(), PerPage: in.Length(), Total: page.Total, Links: links}, 0)), nil
}

// startImport imports the file in the request, or the file at a URL.
func (a *API) startImport(ctx context.Context, c Call, in *imports.Fields) (*Answer, error) {
	var file *imports.Upload
	if c.Upload != nil {
		defer func() { _ = c.Upload.Content.Close() }()
		file = &imports.Upload{Name: c.Upload.Name, Content: c.Upload.Content}
	}
	i, err := a.Imports.Start(ctx, in, maps.Clone(c.Values), file)
	return importStarted(ctx, i, err)
}

func (a *API) getImport(ctx context.Context, c Call, _ *Nothing) (*Answer, error) {
	i, err := a.Imports.Get(ctx, c.Key.ID)
	return importAnswer(ctx, i, err)
}

func (a *API) removeImport(ctx context.Context, c Call, _ *Nothing) (*Answer, error) {
	i, err := a.Imports.Remove(ctx, c.Key.ID)
	return importAnswer(ctx, i, err)
}

func (a *API) runImport(ctx context.Context, c Call, in *imports.Rerunning) (*Answer, error) {
	i, err := a.Imports.Rerun(ctx, c.Key.ID, in)
	return importStarted(ctx, i, err)
}

func (a *API) undoImport(ctx context.Context, c Call, _ *Nothing) (*Answer, error) {
	i, err := a.Imports.TakeBack(ctx, c.Key.ID)
	return importStarted(ctx, i, err)
}

func (a *API) listEntries(ctx context.Context, c Call, in *imports.EntryFilter) (*Answer, error) {
	page, err := a.Imports.Entries(ctx, c.Key.ID, in)
	if err != nil {
		return nil, err
	}
	var links Params
	links.Text("result", in.Result.Or(""))
	links.Length(in.Length())
	v := NewView(scopeOf(ctx))
	v.List("entries", len(page.Items), func(i int) { v.importEntry(page.Items[i]) })
	collection := "imports/" + idText(c.Key.ID) + "/entries"
	l := Listing{Collection: collection, Page: in.Page.Or(1), PerPage: in.Length(), Total: page.Total, Links: links}
	return unkept(v.Paged(l, 0)), nil
}

func importAnswer(ctx context.Context, i *imports.Import, err error) (*Answer, error) {
	if err != nil {
		return nil, err
	}
	v := NewView(scopeOf(ctx))
	v.importOf(i)
	return unkept(v.Answer(0)), nil
}

// importStarted returns the import that a request has started.
func importStarted(ctx context.Context, i *imports.Import, err error) (*Answer, error) {
	answer, err := importAnswer(ctx, i, err)
	if err == nil {
		answer = answer.at(ctx, "/imports", i.ID)
	}
	return answer, err
}

// unkept marks an answer that changes without a new version of the site.
func unkept(a *Answer) *Answer {
	a.secret = true
	return a
}
