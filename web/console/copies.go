package console

import (
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/jobs"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/history"
	"github.com/kalends/kalends/web/ui"
)

// copyList is the page of a site's copies: archives from which it can be restored.
type copyList struct {
	site  *tenancy.Site
	items []*jobs.Job
	form  *frame.Form // as sent
	sure  string      // requested action that must be confirmed
	asked *jobs.Job   // the copy that the requested action applies to
}

// copiesAddress returns the address of the list of a site's copies, and copyAddress that of one copy as a file.
func copiesAddress(slug string) string { return siteAddress(slug) + "/copies" }
func copyAddress(j *jobs.Job) string   { return frame.ConsoleRoot + "/copies/" + frame.IDText(j.ID) }

func (w *Pages) copies(v *frame.Visit, slug string) (*frame.Reply, error) {
	return w.copiesReply(v, slug, &copyList{form: &frame.Form{Kind: "copies"}}, 0)
}

func (w *Pages) copiesReply(v *frame.Visit, slug string, l *copyList, status int) (*frame.Reply, error) {
	inside, err := w.inside(v, slug)
	if err != nil {
		return nil, err
	}
	l.site = tenancy.Current(inside).Site
	if l.items, err = w.jobs.Copies(v.Ctx, slug); err != nil {
		return nil, err
	}
	waits := false
	for _, job := range l.items {
		waits = waits || !job.Ended()
	}
	return &frame.Reply{Status: status, Title: frame.TellWith(v.Ctx, "console.copies.of", "Site", l.site.Name), Section: "sites",
		Body: copiesPage(l), Refresh: waits && l.sure == ""}, nil
}

// changeCopies makes or deletes a copy, restores the site from a copy or an uploaded archive, or archives the site.
func (w *Pages) changeCopies(v *frame.Visit, slug string) (*frame.Reply, error) {
	v.Form.Kind = "copies"
	l, do := &copyList{form: v.Form}, v.Form.Get("do")
	if _, err := w.inside(v, slug); err != nil {
		return nil, err
	}
	if do == "file" {
		return w.restoreFile(v, slug, l)
	}
	var err error
	if do == "back" || do == "drop" {
		if l.asked, err = w.copyIn(v, slug); err != nil {
			return nil, err
		}
	}
	if v.Form.Get("sure") == "" && (do == "back" || do == "archive") {
		l.sure = do
		return w.copiesReply(v, slug, l, 0)
	}
	keep := jobs.KeepCopy
	switch do {
	case "copy":
		_, err = w.jobs.Export(v.Ctx, slug, keep)
	case "back":
		_, err = w.jobs.Restore(v.Ctx, slug, l.asked.ID)
	case "archive":
		keep = jobs.KeepArchive
		if _, err = w.platform.Sites.Update(v.Ctx, slug, &platform.SiteFields{State: args.Some(string(tenancy.Closed))}); err == nil {
			_, err = w.jobs.Export(v.Ctx, slug, keep)
		}
	case "drop":
		_, err = w.jobs.Cancel(v.Ctx, l.asked.ID)
	default:
		return nil, fiber.ErrBadRequest
	}
	if errors.Is(err, jobs.ErrExporting) || errors.Is(err, jobs.ErrRestoring) {
		var same bool
		if same, err = w.underWay(v, slug, keep, l.asked); !same && err == nil {
			err = jobs.ErrExporting
		}
	}
	switch {
	case err == nil:
		return &frame.Reply{Redirect: copiesAddress(slug)}, nil
	case errors.Is(err, jobs.ErrNoJob), errors.Is(err, jobs.ErrNoArchive), errors.Is(err, tenancy.ErrNoSite):
		return nil, fiber.ErrNotFound
	case errors.Is(err, jobs.ErrExporting):
		l.form.Wrong("copy", frame.Tell(v.Ctx, "console.copies.busy"))
	case !l.form.Refuse(v.Ctx, err):
		return nil, err
	}
	return w.copiesReply(v, slug, l, http.StatusConflict)
}

// restoreFile replaces the contents of the site with the archive in the form. It requires a provider token, because
// the archive may contain administrators.
func (w *Pages) restoreFile(v *frame.Visit, slug string, l *copyList) (*frame.Reply, error) {
	page := func(status int) (*frame.Reply, error) { return w.copiesReply(v, slug, l, status) }
	if !v.Form.Ticked("replace") {
		v.Form.Wrong("replace", frame.Tell(v.Ctx, "required"))
	}
	if v.Form.Stream == nil {
		v.Form.Wrong("file", frame.Tell(v.Ctx, "required"))
	}
	if len(v.Form.Problems) > 0 {
		return page(http.StatusUnprocessableEntity)
	}
	if again, err := w.present(v, page); again != nil || err != nil {
		return again, err
	}
	_, err := w.jobs.RestoreFile(v.Ctx, slug, v.Form.Stream)
	var bad *jobs.Refused
	switch {
	case err == nil:
		return &frame.Reply{Redirect: copiesAddress(slug)}, nil
	case errors.Is(err, tenancy.ErrNoSite):
		return nil, fiber.ErrNotFound
	case errors.Is(err, jobs.ErrRestoring):
		v.Form.Wrong("copy", frame.Tell(v.Ctx, "console.copies.busy"))
		return page(http.StatusConflict)
	case errors.Is(err, jobs.ErrTooLarge):
		v.Form.Wrong("file", i18n.T(v.Ctx, "error.rest_content_too_large", nil))
		return page(http.StatusRequestEntityTooLarge)
	case errors.As(err, &bad):
		v.Form.Wrong("file", i18n.T(v.Ctx, "error."+bad.Problem.Code, nil))
		return page(http.StatusUnprocessableEntity)
	case errors.Is(err, io.ErrUnexpectedEOF): // the upload was interrupted
		return nil, fiber.ErrBadRequest
	}
	return nil, err
}

// underWay reports whether a job for the same copy or restore is already running, because the form was sent twice.
func (w *Pages) underWay(v *frame.Visit, slug string, keep int, to *jobs.Job) (bool, error) {
	list, err := w.jobs.Copies(v.Ctx, slug)
	for _, job := range list {
		switch {
		case job.Ended():
		case to != nil && job.Kind == jobs.Restore && job.Become.Copy == to.ID, to == nil && job.Kind == jobs.Export && job.Keep == keep:
			return true, err
		}
	}
	return false, err
}

// copyIn returns the copy with the id in a form, if it is a copy of this site.
func (w *Pages) copyIn(v *frame.Visit, slug string) (*jobs.Job, error) {
	id, err := strconv.ParseInt(v.Form.Get("copy"), 10, 64)
	if err != nil {
		return nil, fiber.ErrBadRequest
	}
	list, err := w.jobs.Copies(v.Ctx, slug)
	if err != nil {
		return nil, err
	}
	for _, job := range list {
		if job.ID == id {
			return job, nil
		}
	}
	return nil, fiber.ErrNotFound
}

// copyFile sends a copy as a file.
func (w *Pages) copyFile(v *frame.Visit, name string) (*frame.Reply, error) {
	id, err := strconv.ParseInt(name, 10, 64)
	if err != nil {
		return nil, fiber.ErrNotFound
	}
	job, content, err := w.jobs.Open(v.Ctx, id)
	if errors.Is(err, jobs.ErrNoJob) || errors.Is(err, jobs.ErrNoArchive) {
		return nil, fiber.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	return &frame.Reply{Write: func(c *fiber.Ctx) error {
		c.Set(fiber.HeaderContentType, "application/zip")
		c.Set(fiber.HeaderContentDisposition, `attachment; filename="`+job.Site+"-"+job.Finished.Format("20060102T150405Z")+`.kalends.zip"`)
		return c.SendStream(content, int(job.Bytes))
	}}, nil
}

// copyState describes the state of a copy in words.
func copyState(ctx context.Context, j *jobs.Job) string {
	switch {
	case j.State == jobs.Cancelled:
		return frame.Tell(ctx, "console.copies.cancelled")
	case j.State == jobs.Failed && j.Problem != nil && len(j.Problem.Params) == 0:
		return i18n.T(ctx, "error."+j.Problem.Code, nil)
	case j.State == jobs.Failed:
		return i18n.T(ctx, "error.internal_server_error", nil)
	case !j.Ended():
		return frame.Tell(ctx, "console.copies.waits")
	}
	before := ""
	switch {
	case j.Kind != jobs.Restore:
	case j.Become.Copy == 0:
		before = frame.Tell(ctx, "console.copies.before.file")
	default:
		before = frame.Tell(ctx, "console.copies.before")
	}
	return ui.Joined(before, copySize(ctx, j), frame.TellWith(ctx, "console.copies.until", "Time", frame.ShortDay(ctx, j.Expires)))
}

// copySize is the size of a copy.
func copySize(ctx context.Context, j *jobs.Job) string {
	size := math.Ceil(float64(j.Bytes)/(history.Megabyte/100)) / 100
	return frame.TellWith(ctx, "console.megabytes", "Number", ui.DatesIn(ctx).Decimal(size))
}
