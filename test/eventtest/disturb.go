package eventtest

import (
	"math/rand/v2"

	"github.com/kalends/kalends/calendar"
)

// Disturb changes or removes one venue, organizer, term or event.
func (k *Kit) Disturb(random *rand.Rand) {
	k.Helper()
	page := k.List(calendar.EventQuery{})
	if len(page.Items) == 0 {
		return
	}
	e := page.Items[random.IntN(len(page.Items))]
	switch {
	case len(e.Venues) > 0 && random.IntN(3) == 0:
		key := calendar.Key{ID: e.Venues[0].ID}
		if random.IntN(4) == 0 {
			_, err := k.DB.Venues().Delete(k.Ctx, key, func(*calendar.Venue) error { return nil })
			k.Must(err)
			return
		}
		_, err := k.DB.Venues().Update(k.Ctx, key, func(v *calendar.Venue) error { v.City += "x"; return nil })
		k.Must(err)
	case len(e.Organizers) > 0 && random.IntN(3) == 0:
		_, err := k.DB.Organizers().Update(k.Ctx, calendar.Key{ID: e.Organizers[0].ID},
			func(o *calendar.Organizer) error { o.Phone += "1"; return nil })
		k.Must(err)
	case len(e.Categories) > 0 && random.IntN(3) == 0:
		_, err := k.DB.Terms(calendar.Categories).Delete(k.Ctx, e.Categories[0].ID, func(*calendar.Term) error { return nil })
		k.Must(err)
	case len(e.Tags) > 0 && random.IntN(3) == 0:
		_, err := k.DB.Terms(calendar.Tags).Update(k.Ctx, e.Tags[0].ID,
			func(t *calendar.Term) error { t.Description += "y"; return nil })
		k.Must(err)
	default:
		k.Update(e.ID, func(*calendar.Event) (calendar.EventLinks, error) {
			return calendar.EventLinks{Categories: TermLinks("red"), Tags: TermLinks("blue", "white")}, nil
		})
	}
}
