package wordpress

import (
	"context"
	"mime"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

func (w *API) getEvent(ctx context.Context, c api.Call, in *reading) (*api.Answer, error) {
	e, err := w.calendar.Events().Get(ctx, c.Key, in.Password.Or(""))
	if err != nil {
		return nil, err
	}
	return w.postAnswer(ctx, in, &e.Post, func(v *view) { v.event(e) })
}

func (w *API) getVenue(ctx context.Context, c api.Call, in *reading) (*api.Answer, error) {
	p, err := w.calendar.Venues().Get(ctx, c.Key)
	if err != nil {
		return nil, err
	}
	return w.postAnswer(ctx, in, &p.Post, func(v *view) { v.venue(p) })
}

func (w *API) getOrganizer(ctx context.Context, c api.Call, in *reading) (*api.Answer, error) {
	o, err := w.calendar.Organizers().Get(ctx, c.Key)
	if err != nil {
		return nil, err
	}
	return w.postAnswer(ctx, in, &o.Post, func(v *view) { v.organizer(o) })
}

// postAnswer returns a post. Callers who may edit it get its raw fields in addition to the rendered ones.
func (w *API) postAnswer(ctx context.Context, in *reading, post *calendar.Post, write func(*view)) (*api.Answer, error) {
	if in.Context.Or("") == "edit" {
		if err := calendar.Editable(tenancy.Current(ctx).Principal, post, nil); err != nil {
			return nil, err
		}
	}
	v := w.view(ctx)
	v.show(&paging{Context: in.Context, Embed: in.Embed})
	write(v)
	return v.Answer(post.Version).About(post), nil
}

func (w *API) getTerm(t calendar.Taxonomy) api.Handler[reading] {
	return func(ctx context.Context, c api.Call, _ *reading) (*api.Answer, error) {
		term, err := w.calendar.Terms(t).Get(ctx, c.Key.ID)
		return w.termAnswer(ctx, term, err)
	}
}

func (w *API) createTerm(t calendar.Taxonomy) api.Handler[termFields] {
	return func(ctx context.Context, _ api.Call, in *termFields) (*api.Answer, error) {
		term, err := w.calendar.Terms(t).Create(ctx, in.fields(t))
		answer, err := w.termAnswer(ctx, term, err)
		if err == nil {
			answer.Location = tenancy.Current(ctx).Base.API() + "/" + api.WordPressTerms(t) + "/" + strconv.FormatInt(term.ID, 10)
		}
		return answer, err
	}
}

func (w *API) updateTerm(t calendar.Taxonomy) api.Handler[termFields] {
	return func(ctx context.Context, c api.Call, in *termFields) (*api.Answer, error) {
		terms := w.calendar.Terms(t)
		if c.Unchanged {
			term, err := terms.Unchanged(ctx, c.Key.ID, c.Condition)
			return w.termAnswer(ctx, term, err)
		}
		term, err := terms.Update(ctx, c.Key.ID, in.fields(t), c.Condition)
		return w.termAnswer(ctx, term, err)
	}
}

func (w *API) deleteTerm(t calendar.Taxonomy) api.Handler[removal] {
	return func(ctx context.Context, c api.Call, in *removal) (*api.Answer, error) {
		if !in.Force.Or(false) {
			return nil, ErrNoTrash
		}
		term, err := w.calendar.Terms(t).Delete(ctx, c.Key.ID, c.Condition)
		if err != nil {
			return nil, err
		}
		return w.deleted(ctx, func(v *view) { v.term(term) }), nil
	}
}

// termFields are the arguments of a term write in WordPress. Empty texts are accepted.
type termFields struct {
	Name        args.Opt[string] `arg:"name,required,nonempty,max=200"`
	Description args.Opt[string] `arg:"description,bytes=262144"`
	Slug        args.Opt[string] `arg:"slug,max=200"`
	Parent      args.Opt[int64]  `arg:"parent,min=0"`
	calendar.WrittenIn
}

func (in *termFields) fields(t calendar.Taxonomy) *calendar.CategoryFields {
	f := &calendar.CategoryFields{TagFields: calendar.TagFields{
		Name:        in.Name,
		Description: in.Description,
		Slug:        in.Slug,
		WrittenIn:   in.WrittenIn,
	}}
	if t == calendar.Categories {
		f.Parent = in.Parent
	}
	return f
}

func (w *API) termAnswer(ctx context.Context, t *calendar.Term, err error) (*api.Answer, error) {
	if err != nil {
		return nil, err
	}
	v := w.view(ctx)
	v.term(t)
	return v.Answer(t.Version), nil
}

// deleted returns the last state of a deleted item.
func (w *API) deleted(ctx context.Context, write func(*view)) *api.Answer {
	v := w.view(ctx)
	v.Item()
	v.Bool("deleted", true)
	v.Key("previous")
	write(v)
	v.Close('}')
	return v.Answer(0)
}

func (w *API) getMedia(ctx context.Context, c api.Call, _ *reading) (*api.Answer, error) {
	i, err := w.calendar.Images().Get(ctx, c.Key.ID)
	return w.imageAnswer(ctx, i, err)
}

// upload stores the image in a form, or in the body itself, and its alternative text.
func (w *API) upload(ctx context.Context, c api.Call, in *mediaFields) (*api.Answer, error) {
	if c.Upload == nil {
		found := &args.Problems{}
		found.Missing("file")
		return nil, found
	}
	defer func() { _ = c.Upload.Content.Close() }()
	images := w.calendar.Images()
	i, err := images.Upload(ctx, c.Upload.Name, c.Upload.Content)
	if err == nil && in.Alt.Or("") != "" {
		i, err = images.Describe(ctx, i.ID, in.Alt.Or(""), nil, nil, nil)
	}
	answer, err := w.imageAnswer(ctx, i, args.Renamed("alt", "alt_text", err))
	if err == nil {
		answer.Location = tenancy.Current(ctx).Base.API() + "/media/" + strconv.FormatInt(i.ID, 10)
	}
	return answer, err
}

func (w *API) describeMedia(ctx context.Context, c api.Call, in *mediaFields) (*api.Answer, error) {
	images := w.calendar.Images()
	alt, given := in.Alt.Get()
	if !given {
		i, err := images.Get(ctx, c.Key.ID)
		if err == nil && !services.MayEditImage(tenancy.Current(ctx).Principal, i) {
			err = tenancy.Current(ctx).Principal.Require(tenancy.Upload | tenancy.EditOthers)
		}
		return w.imageAnswer(ctx, i, err)
	}
	i, err := images.Describe(ctx, c.Key.ID, alt, nil, nil, c.Condition)
	return w.imageAnswer(ctx, i, args.Renamed("alt", "alt_text", err))
}

func (w *API) deleteMedia(ctx context.Context, c api.Call, in *removal) (*api.Answer, error) {
	if !in.Force.Or(false) {
		return nil, ErrNoTrash
	}
	i, err := w.calendar.Images().Delete(ctx, c.Key.ID, c.Condition)
	if err != nil {
		return nil, err
	}
	return w.deleted(ctx, func(v *view) { v.image(i) }), nil
}

func (w *API) imageAnswer(ctx context.Context, i *calendar.Image, err error) (*api.Answer, error) {
	if err != nil {
		return nil, err
	}
	v := w.view(ctx)
	v.image(i)
	answer := v.Answer(i.Version)
	answer.May = func(p tenancy.Principal) bool { return services.MayEditImage(p, i) }
	return answer, nil
}

// rawUpload returns the arguments of an upload whose body may be the file itself, with its name in
// Content-Disposition.
func rawUpload(c *fiber.Ctx) (api.Call, error) {
	kind, _, _ := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	if kind == "multipart/form-data" || kind == "application/x-www-form-urlencoded" || kind == "application/json" {
		return api.Arguments(c, true)
	}
	request := api.Query(c)
	request.Values = request.Asked
	_, disposition, _ := mime.ParseMediaType(c.Get(fiber.HeaderContentDisposition))
	if name := disposition["filename"]; name != "" && len(c.Request().Body()) > 0 {
		request.Upload = &api.Upload{Name: name, Content: args.NewContent(c.Request().Body())}
	}
	return request, nil
}
