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
		On[Nothing](get, all, "submissions.list", read, a.listSubmissions).Of(kind, "SubmissionList").By(tenancy.ReadSubmissions).more(),
		On[Nothing](post, all, "submissions.create", create, a.sendSubmission).Of(kind, one).By(tenancy.WriteSubmissions).more().open(),
		On[Nothing](get, all+"/form", "submissions.describe", read, a.describeSubmission).Of(kind, "SubmissionForm").
			By(tenancy.NoAccess).more(),
		On[Nothing](get, sent, "submissions.sent.get", read, a.getSent).Of(kind, one).By(tenancy.ReadSubmissions).more().open(),
		On[Nothing](post, sent, "submissions.sent.update", update, a.correctSent).Of(kind, one).By(tenancy.WriteSubmissions).more().open(),
		On[Nothing](del, sent, "submissions.sent.withdraw", read, a.withdrawSent).Of(kind, one).By(tenancy.WriteSubmissions).more().open(),
		On[Nothing](post, sent+"/confirm", "submissions.sent.confirm", create, a.confirmSent).Of(kind, one).
			By(tenancy.WriteSubmissions).looking().more().open(),
		On[ByID](get, id, "submissions.get", read, a.getSubmission).Of(kind, one).By(tenancy.ReadSubmissions).more(),
		On[ByID](post, id+"/approve", "submissions.approve", create, a.approveSubmission).Of(kind, one).
			By(tenancy.WriteSubmissions).looking().more(),
		On[ByID](post, id+"/refuse", "submissions.refuse", create, a.refuseSubmission).Of(kind, one).
			By(tenancy.WriteSubmissions).looking().more(),
	}
}

func (a *API) getSent(ctx context.Context, _ Call, in *submissions.SenderFields) (*Answer, error) {
	sub, err := a.Submissions.Find(ctx, in.Token.Or(""))
	return a.submissionOf(ctx, sub, false, err)
}

func (a *API) correctSent(ctx context.Context, c Call, in *submissions.CorrectionFields) (*Answer, error) {
	sub, err := a.Submissions.Find(ctx, in.Token.Or(""))
	if err == nil {
		sub, err = a.Submissions.Correct(ctx, in.Token.Or(""), in.Over(&sub.Sent), c.picture(), c.Condition)
	}
	return a.submissionOf(ctx, sub, false, args.Renamed("image", "file", err))
}

func (a *API) withdrawSent(ctx context.Context, c Call, in *submissions.SenderFields) (*Answer, error) {
	sub, err := a.Submissions.Withdraw(ctx, in.Token.Or(""), c.Condition)
	return a.submissionOf(ctx, sub, false, err)
}

func (a *API) confirmSent(ctx context.Context, _ Call, in *submissions.SenderFields) (*Answer, error) {
	sub, err := a.Submissions.Confirm(ctx, in.Token.Or(""))
	return a.submissionOf(ctx, sub, false, err)
}
