package signin

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/offers"
)

// nouns are the text keys for the resources of a key's access, by the first part of the scope.
var nouns = map[string]string{
	"events": "nav.events", "venues": "nav.venues", "organizers": "nav.organizers", "terms": "scope.terms", "images": "nav.media",
	"submissions": "nav.submissions", "imports": "scope.imports", "sources": "scope.sources", "changes": "scope.changes",
	"history": "nav.audit", "webhooks": "scope.webhooks", "users": "nav.users", "settings": "nav.settings",
}

// beyondKeys are the resources that are only available on pages so far. They are useless for a key, so forms do not
// offer them.
var beyondKeys = []string{"history", "users", "settings"}

// ScopeWords returns in words what a scope lets a key do, such as "read events".
func ScopeWords(ctx context.Context, scope string) string {
	noun, verb, _ := strings.Cut(scope, ":")
	return frame.TellWith(ctx, "scope."+verb, "What", frame.Tell(ctx, nouns[noun]))
}

// scopesOffered returns the scopes that the form for a new key offers.
func scopesOffered() []string {
	return slices.DeleteFunc(tenancy.AccessNames(), func(scope string) bool {
		noun, _, _ := strings.Cut(scope, ":")
		return slices.Contains(beyondKeys, noun)
	})
}

// Categories are the categories of a site, which keys may be limited to.
type Categories = []offers.Branch

// KeyWords describes what a key may do, in lines.
func KeyWords(ctx context.Context, list Categories, k *accounts.Credential) []string {
	var lines []string
	switch {
	case k.Scopes != nil:
		words := make([]string, 0, len(k.Scopes))
		for _, scope := range tenancy.AccessOf(k.Scopes).Names() {
			if !k.ReadOnly || strings.HasSuffix(scope, ":read") {
				words = append(words, ScopeWords(ctx, scope))
			}
		}
		lines = append(lines, strings.Join(words, " · "))
	case k.ReadOnly:
		lines = append(lines, frame.Tell(ctx, "access.all.read"))
	default:
		lines = append(lines, frame.Tell(ctx, "access.all"))
	}
	if len(k.Categories) > 0 {
		var names []string
		for _, one := range list {
			if slices.Contains(k.Categories, one.ID) {
				names = append(names, one.Name)
			}
		}
		lines = append(lines, frame.TellWith(ctx, "access.within", "Names", strings.Join(names, " · ")))
	}
	if !k.Expires.IsZero() {
		lines = append(lines, frame.TellWith(ctx, "access.expires", "Time", lastMoment(ctx, k.Expires)))
	}
	return lines
}

// lastMoment returns the last day on which a key is valid, or its end if that is during a day.
func lastMoment(ctx context.Context, expires time.Time) string {
	if last := frame.ShortDay(ctx, expires.Add(-time.Second)); last != frame.ShortDay(ctx, expires) {
		return last
	}
	return frame.ShortTime(ctx, expires)
}

// Categories returns the categories of the site as a tree, for KeyWords.
func (w *Pages) Categories(ctx context.Context) (Categories, error) {
	terms, err := offers.Terms(ctx, w.calendar, calendar.Categories)
	return offers.Tree(terms), err
}
