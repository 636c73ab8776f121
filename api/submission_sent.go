package api

import (
	"context"

	"github.com/kalends/kalends/internal/args"

	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/tenancy"
)

// sentRoutes are the routes of submissions: to send one, to view and change it with the token in the email, and to
// decide.
func (a *API) sentRoutes() []Route {
	const (
		get, post, del       = "GET", "POST", "DELETE"
		read, create, update = args.Reading, args.Creating, args.Updating
		kind, one            = "submission", "Submission"
		all, sent, id        = "/submissions", "/submissions/sent", "/submissions/{id}"
	)
	return []Route{
		on[nothing](get, all, "submissions.list", read, a.listSubmissions).of(kind, "SubmissionList").by(tenancy.ReadSubmissions).more(),
		on[nothing](post, all, "submissions.create", create, a.sendSubmission).of(kind, one).by(tenancy.WriteSubmissions).more().open(),
		on[nothing](get, all+"/form", "submissions.describe", read, a.describeSubmission).of(kind, "SubmissionForm").
			by(tenancy.NoAccess).more(),
		on[nothing](get, sent, "submissions.sent.get", read, a.getSent).of(kind, one).by(tenancy.ReadSubmissions).more().open(),
		on[nothing](post, sent, "submissions.sent.update", update, a.correctSent).of(kind, one).by(tenancy.WriteSubmissions).more().open(),
		on[nothing](del, sent, "submissions.sent.withdraw", read, a.withdrawSent).of(kind, one).by(tenancy.WriteSubmissions).more().open(),
		on[nothing](post, sent+"/confirm", "submissions.sent.confirm", create, a.confirmSent).of(kind, one).
			by(tenancy.WriteSubmissions).looking().more().open(),
		on[byID](get, id, "submissions.get", read, a.getSubmission).of(kind, one).by(tenancy.ReadSubmissions).more(),
		on[byID](post, id+"/approve", "submissions.approve", create, a.approveSubmission).of(kind, one).
			by(tenancy.WriteSubmissions).looking().more(),
		on[byID](post, id+"/refuse", "submissions.refuse", create, a.refuseSubmission).of(kind, one).
			by(tenancy.WriteSubmissions).looking().more(),
	}
}

func (a *API) getSent(ctx context.Context, _ call, in *submissions.SenderFields) (*Answer, error) {
	sub, err := a.Submissions.Find(ctx, in.Token.Or(""))
	return a.submissionOf(ctx, sub, false, err)
}

func (a *API) correctSent(ctx context.Context, c call, in *submissions.CorrectionFields) (*Answer, error) {
	sub, err := a.Submissions.Find(ctx, in.Token.Or(""))
	if err == nil {
		sub, err = a.Submissions.Correct(ctx, in.Token.Or(""), in.Over(&sub.Sent), c.picture(), c.Condition)
	}
	return a.submissionOf(ctx, sub, false, args.Renamed("image", "file", err))
}

func (a *API) withdrawSent(ctx context.Context, c call, in *submissions.SenderFields) (*Answer, error) {
	sub, err := a.Submissions.Withdraw(ctx, in.Token.Or(""), c.Condition)
	return a.submissionOf(ctx, sub, false, err)
}

func (a *API) confirmSent(ctx context.Context, _ call, in *submissions.SenderFields) (*Answer, error) {
	sub, err := a.Submissions.Confirm(ctx, in.Token.Or(""))
	return a.submissionOf(ctx, sub, false, err)
}
