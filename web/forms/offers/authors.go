package offers

import (
	"context"
	"slices"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
)

// Authors are the users who can be the author of an item. There are none for users who may not choose one.
func Authors(ctx context.Context, c *services.Calendar) ([]frame.Pair, error) {
	o, err := Of(ctx, c, calendar.OfferQuery{Authors: calendar.MostAuthors})
	if err != nil {
		return nil, err
	}
	return Named(ctx, o.Authors), nil
}

// KnowAuthor adds a problem if the chosen author is not a user of the site. If the site has more authors than the
// form offers, the database checks this.
func KnowAuthor(ctx context.Context, f *frame.Form, authors []frame.Pair, now *frame.Form) {
	author := f.Text("author")
	if author == "" || now != nil && author == now.Text("author") || len(authors) == 0 || len(authors) >= calendar.MostAuthors {
		return
	}
	if !slices.ContainsFunc(authors, func(p frame.Pair) bool { return p.Name == author }) {
		f.Wrong("author", i18n.T(ctx, "problem.author", nil))
	}
}

// Whoever returns the ID of the current user, as text.
func Whoever(ctx context.Context) string { return frame.SomeID(tenancy.Current(ctx).Principal.UserID) }

// NoAuthor returns the text of the choice "no author". It returns "" for items that have an author, because they
// must keep one.
func NoAuthor(ctx context.Context, f *frame.Form) string {
	if f.Get("author") == "" {
		return frame.Tell(ctx, "author.none")
	}
	return ""
}
