package api

import (
	"context"

	"github.com/kalends/kalends/internal/args"

	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/tenancy"
)

// open marks a route that anybody may use for changes or private data.
func (r Route) open() Route {
	r.Anybody = true
	return r
}

func (a *API) listSubmissions(ctx context.Context, _ Call, in *submissions.Filter) (*Answer, error) {
	page, q, err := a.Submissions.List(ctx, in)
	if err != nil {
		return nil, err
	}
	var links Params
	links.Length(q.PerPage)
	links.Text("status", in.Status.Or(""))
	v := a.newView(ctx)
	v.List("submissions", len(page.Items), func(i int) { v.submission(&shownSubmission{Submission: page.Items[i], editor: true}) })
	return v.Paged(Listing{Collection: "submissions", Page: q.Page, PerPage: q.PerPage, Total: page.Total, Links: links}, page.Version), nil
}

// sendSubmission stores a submission and lists possible duplicates.
func (a *API) sendSubmission(ctx context.Context, c Call, in *submissions.Fields) (*Answer, error) {
	sub, token, err := a.Submissions.Send(ctx, in, c.picture())
	if err != nil {
		return nil, args.Renamed("image", "file", err)
	}
	s := &shownSubmission{Submission: sub}
	if sub.Status != submissions.Unconfirmed {
		s.token = token // otherwise only the email contains it, which proves the address
	}
	if s.similar, err = a.Submissions.Known(ctx, &sub.Sent); err != nil {
		s.similar = nil // the submission is stored anyway
	}
	return a.submissionAnswer(ctx, s).at(ctx, "/submissions/sent", 0), nil // the token is not part of any address
}

func (a *API) describeSubmission(ctx context.Context, _ Call, _ *Nothing) (*Answer, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	v := NewView(scope)
	v.submissionForm(scope.Site.Settings.Submissions.On && scope.Site.State == tenancy.Active, scope.Words().Terms, a.Submissions.Writes())
	return v.Answer(0), nil
}

func (a *API) getSubmission(ctx context.Context, c Call, _ *Nothing) (*Answer, error) {
	sub, err := a.Submissions.Get(ctx, c.Key.ID)
	if err != nil {
		return nil, err
	}
	s := &shownSubmission{Submission: sub, editor: true}
	if sub.Status == submissions.Waiting {
		if s.similar, err = a.Submissions.Similar(ctx, sub.Event); err != nil {
			return nil, err
		}
	}
	return a.submissionAnswer(ctx, s), nil
}

func (a *API) approveSubmission(ctx context.Context, c Call, in *submissions.ApprovalFields) (*Answer, error) {
	sub, err := a.Submissions.Approve(ctx, c.Key.ID, in, c.Condition)
	return a.submissionOf(ctx, sub, true, err)
}

func (a *API) refuseSubmission(ctx context.Context, c Call, in *submissions.RefusalFields) (*Answer, error) {
	sub, err := a.Submissions.Refuse(ctx, c.Key.ID, in, c.Condition)
	return a.submissionOf(ctx, sub, true, err)
}

// submissionOf returns a submission to an editor or its sender.
func (a *API) submissionOf(ctx context.Context, sub *submissions.Submission, editor bool, err error) (*Answer, error) {
	if err != nil {
		return nil, err
	}
	return a.submissionAnswer(ctx, &shownSubmission{Submission: sub, editor: editor}), nil
}

func (a *API) submissionAnswer(ctx context.Context, s *shownSubmission) *Answer {
	v := a.newView(ctx)
	v.submission(s)
	answer := v.Answer(0)
	if s.Event != nil {
		answer = v.Answer(s.Event.Version)
	}
	answer.secret, answer.Once = true, s.token != ""
	return answer
}

// picture returns the attached file, or nil.
func (c Call) picture() *submissions.Picture {
	if c.Upload == nil {
		return nil
	}
	return &submissions.Picture{Name: c.Upload.Name, Content: c.Upload.Content}
}
