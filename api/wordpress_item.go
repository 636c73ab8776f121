package api

import (
	"context"
	"mime"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

func (a *API) wpGetEvent(ctx context.Context, c call, in *wpReading) (*Answer, error) {
	e, err := a.calendar.Events().Get(ctx, c.Key, in.Password.Or(""))
	if err != nil {
		return nil, err
	}
	return a.wpPostAnswer(ctx, in, &e.Post, func(v *view) { v.wpEvent(e) })
}

func (a *API) wpGetVenue(ctx context.Context, c call, in *wpReading) (*Answer, error) {
	p, err := a.calendar.Venues().Get(ctx, c.Key)
	if err != nil {
		return nil, err
	}
	return a.wpPostAnswer(ctx, in, &p.Post, func(v *view) { v.wpVenue(p) })
}

func (a *API) wpGetOrganizer(ctx context.Context, c call, in *wpReading) (*Answer, error) {
	o, err := a.calendar.Organizers().Get(ctx, c.Key)
	if err != nil {
		return nil, err
	}
	return a.wpPostAnswer(ctx, in, &o.Post, func(v *view) { v.wpOrganizer(o) })
}

// wpPostAnswer returns a post. Callers who may edit it get its raw fields in addition to the rendered ones.
func (a *API) wpPostAnswer(ctx context.Context, in *wpReading, post *calendar.Post, write func(*view)) (*Answer, error) {
	if in.Context.Or("") == "edit" {
		if err := calendar.Editable(scopeOf(ctx).Principal, post, nil); err != nil {
			return nil, err
		}
	}
	v := a.newView(ctx)
	v.wpShow(&wpPaging{Context: in.Context, Embed: in.Embed})
	write(v)
	return v.answer(post.Version).of(post), nil
}

func (a *API) wpGetTerm(t wpTaxonomy) Handler[wpReading] {
	return func(ctx context.Context, c call, _ *wpReading) (*Answer, error) {
		term, err := a.calendar.Terms(t.Taxonomy).Get(ctx, c.Key.ID)
		return a.wpTermAnswer(ctx, term, err)
	}
}

func (a *API) wpCreateTerm(t wpTaxonomy) Handler[wpTermFields] {
	return func(ctx context.Context, _ call, in *wpTermFields) (*Answer, error) {
		term, err := a.calendar.Terms(t.Taxonomy).Create(ctx, in.fields(t))
		answer, err := a.wpTermAnswer(ctx, term, err)
		if err == nil {
			answer.Location = scopeOf(ctx).Base.API() + "/" + t.path + "/" + strconv.FormatInt(term.ID, 10)
		}
		return answer, err
	}
}

func (a *API) wpUpdateTerm(t wpTaxonomy) Handler[wpTermFields] {
	return func(ctx context.Context, c call, in *wpTermFields) (*Answer, error) {
		terms := a.calendar.Terms(t.Taxonomy)
		if c.unchanged {
			term, err := terms.Unchanged(ctx, c.Key.ID, c.Condition)
			return a.wpTermAnswer(ctx, term, err)
		}
		term, err := terms.Update(ctx, c.Key.ID, in.fields(t), c.Condition)
		return a.wpTermAnswer(ctx, term, err)
	}
}

func (a *API) wpDeleteTerm(t wpTaxonomy) Handler[wpRemoval] {
	return func(ctx context.Context, c call, in *wpRemoval) (*Answer, error) {
		if !in.Force.Or(false) {
			return nil, ErrNoTrash
		}
		term, err := a.calendar.Terms(t.Taxonomy).Delete(ctx, c.Key.ID, c.Condition)
		if err != nil {
			return nil, err
		}
		return a.wpDeleted(ctx, func(v *view) { v.wpTerm(term) }), nil
	}
}

// wpTermFields are the arguments of a term write in WordPress. Empty texts are accepted.
type wpTermFields struct {
	Name        args.Opt[string] `arg:"name,required,nonempty,max=200"`
	Description args.Opt[string] `arg:"description,bytes=262144"`
	Slug        args.Opt[string] `arg:"slug,max=200"`
	Parent      args.Opt[int64]  `arg:"parent,min=0"`
	calendar.WrittenIn
}

func (in *wpTermFields) fields(t wpTaxonomy) *calendar.CategoryFields {
	f := &calendar.CategoryFields{TagFields: calendar.TagFields{
		Name:        in.Name,
		Description: in.Description,
		Slug:        in.Slug,
		WrittenIn:   in.WrittenIn,
	}}
	if t.Taxonomy == calendar.Categories {
		f.Parent = in.Parent
	}
	return f
}

func (a *API) wpTermAnswer(ctx context.Context, t *calendar.Term, err error) (*Answer, error) {
	if err != nil {
		return nil, err
	}
	v := a.newView(ctx)
	v.wpTerm(t)
	return v.answer(t.Version), nil
}

// wpDeleted returns the last state of what was deleted.
func (a *API) wpDeleted(ctx context.Context, write func(*view)) *Answer {
	v := a.newView(ctx)
	v.Item()
	v.Bool("deleted", true)
	v.Key("previous")
	write(v)
	v.Close('}')
	return v.answer(0)
}

func (a *API) wpGetMedia(ctx context.Context, c call, _ *wpReading) (*Answer, error) {
	i, err := a.calendar.Images().Get(ctx, c.Key.ID)
	return a.wpImageAnswer(ctx, i, err)
}

// wpUpload stores the image in a form, or in the body itself, and its alternative text.
func (a *API) wpUpload(ctx context.Context, c call, in *wpMediaFields) (*Answer, error) {
	if c.upload == nil {
		found := &args.Problems{}
		found.Missing("file")
		return nil, found
	}
	defer func() { _ = c.upload.r.Close() }()
	images := a.calendar.Images()
	i, err := images.Upload(ctx, c.upload.name, c.upload.r)
	if err == nil && in.Alt.Or("") != "" {
		i, err = images.Describe(ctx, i.ID, in.Alt.Or(""), nil, nil, nil)
	}
	answer, err := a.wpImageAnswer(ctx, i, args.Renamed("alt", "alt_text", err))
	if err == nil {
		answer.Location = scopeOf(ctx).Base.API() + "/media/" + strconv.FormatInt(i.ID, 10)
	}
	return answer, err
}

func (a *API) wpDescribeMedia(ctx context.Context, c call, in *wpMediaFields) (*Answer, error) {
	images := a.calendar.Images()
	alt, given := in.Alt.Get()
	if !given {
		i, err := images.Get(ctx, c.Key.ID)
		if err == nil && !services.MayEditImage(scopeOf(ctx).Principal, i) {
			err = scopeOf(ctx).Principal.Require(tenancy.Upload | tenancy.EditOthers)
		}
		return a.wpImageAnswer(ctx, i, err)
	}
	i, err := images.Describe(ctx, c.Key.ID, alt, nil, nil, c.Condition)
	return a.wpImageAnswer(ctx, i, args.Renamed("alt", "alt_text", err))
}

func (a *API) wpDeleteMedia(ctx context.Context, c call, in *wpRemoval) (*Answer, error) {
	if !in.Force.Or(false) {
		return nil, ErrNoTrash
	}
	i, err := a.calendar.Images().Delete(ctx, c.Key.ID, c.Condition)
	if err != nil {
		return nil, err
	}
	return a.wpDeleted(ctx, func(v *view) { v.wpImage(i) }), nil
}

func (a *API) wpImageAnswer(ctx context.Context, i *calendar.Image, err error) (*Answer, error) {
	if err != nil {
		return nil, err
	}
	v := a.newView(ctx)
	v.wpImage(i)
	answer := v.answer(i.Version)
	answer.may = func(p tenancy.Principal) bool { return services.MayEditImage(p, i) }
	return answer, nil
}

// rawUpload returns the arguments of an upload whose body may be the file itself, with its name in
// Content-Disposition.
func rawUpload(c *fiber.Ctx, media bool) (call, error) {
	kind, _, _ := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	if kind == "multipart/form-data" || kind == "application/x-www-form-urlencoded" || kind == "application/json" {
		return arguments(c, media)
	}
	request := call{asked: args.Values{}, Condition: condition(c.Get(fiber.HeaderIfMatch))}
	args.ReadForm(request.asked, string(c.Context().URI().QueryString()))
	request.values = request.asked
	_, disposition, _ := mime.ParseMediaType(c.Get(fiber.HeaderContentDisposition))
	if name := disposition["filename"]; name != "" && len(c.Request().Body()) > 0 {
		request.upload = &upload{name: name, r: args.NewContent(c.Request().Body())}
	}
	return request, nil
}
