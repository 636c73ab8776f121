package attention

import (
	"testing"
	"time"

	"github.com/kalends/kalends/tenancy"
)

// TestNews: people are told of what they can act on, have not been told of and have not done themselves: at once after a moment, and not too
// often; daily in the morning where the site is.
func TestNews(t *testing.T) {
	t.Parallel()
	place, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	at := func(text string) time.Time {
		t.Helper()
		m, err := time.ParseInLocation("2006-01-02 15:04:05", text, place)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	const begin, sent = "2030-03-29 12:00:00", "2030-03-30 20:00:00"
	one := []Item{{Kind: Submission, Title: "Fair", Since: at(sent)}}
	for name, c := range map[string]struct {
		told  tenancy.Told
		role  tenancy.Role
		from  string // told up to then
		items []Item
		now   string
		want  int
		next  string // "": never
	}{
		"at once, too early":             {tenancy.TellAtOnce, tenancy.Editor, begin, one, "2030-03-30 20:00:30", 0, "2030-03-30 20:01:00"},
		"at once":                        {tenancy.TellAtOnce, tenancy.Editor, begin, one, "2030-03-30 20:01:00", 1, ""},
		"at once, soon after another":    {tenancy.TellAtOnce, tenancy.Editor, "2030-03-30 19:55:00", one, "2030-03-30 20:05:00", 0, "2030-03-30 20:10:00"},
		"daily, in the evening":          {tenancy.TellDaily, tenancy.Editor, begin, one, "2030-03-30 23:00:00", 0, "2030-03-31 07:00:00"},
		"daily, at night":                {tenancy.TellDaily, tenancy.Editor, begin, one, "2030-03-31 06:59:59", 0, "2030-03-31 07:00:00"},
		"daily, when the clock skips":    {tenancy.TellDaily, tenancy.Editor, begin, one, "2030-03-31 07:00:00", 1, ""},
		"daily, of the same morning":     {tenancy.TellDaily, tenancy.Editor, begin, []Item{{Kind: Report, Title: "Fair", Since: at("2030-03-30 06:59:00")}}, "2030-03-30 07:00:00", 1, ""},
		"told already":                   {tenancy.TellDaily, tenancy.Editor, sent, one, "2030-03-31 07:00:00", 0, ""},
		"what an author can't decide":    {tenancy.TellAtOnce, tenancy.Author, begin, one, "2030-03-31 07:00:00", 0, ""},
		"what is for administrators":     {tenancy.TellAtOnce, tenancy.Editor, begin, []Item{{Kind: Source, Title: "Feed", Since: at(sent)}, {Kind: Invitation, Title: "Ann", Since: at(sent)}}, "2030-03-31 07:00:00", 0, ""},
		"to administrators":              {tenancy.TellAtOnce, tenancy.Administrator, begin, []Item{{Kind: Source, Title: "Feed", Since: at(sent)}, {Kind: Invitation, Title: "Ann", Since: at(sent)}}, "2030-03-31 07:00:00", 2, ""},
		"one's own":                      {tenancy.TellAtOnce, tenancy.Editor, begin, []Item{{Kind: Review, Title: "Mine", Since: at(sent), By: 7}}, "2030-03-31 07:00:00", 0, ""},
		"sent back to an author":         {tenancy.TellAtOnce, tenancy.Author, begin, []Item{{Kind: Returned, Title: "Mine", Since: at(sent), By: 9, For: 7}}, "2030-03-31 07:00:00", 1, ""},
		"sent back to another author":    {tenancy.TellAtOnce, tenancy.Author, begin, []Item{{Kind: Returned, Title: "Theirs", Since: at(sent), By: 9, For: 8}}, "2030-03-31 07:00:00", 0, ""},
		"an invitation that ends later":  {tenancy.TellAtOnce, tenancy.Administrator, begin, []Item{{Kind: Invitation, Title: "Ann", Since: at("2030-04-02 10:00:00")}}, "2030-03-31 07:00:00", 0, "2030-04-02 10:00:10"},
		"what has only just been stored": {tenancy.TellAtOnce, tenancy.Editor, begin, append(one[:1:1], Item{Kind: Review, Title: "New", Since: at("2030-03-30 20:59:55"), By: 8}), "2030-03-30 21:00:00", 1, "2030-03-30 21:00:05"},
	} {
		p := &Person{User: &tenancy.User{ID: 7, Role: c.role, Told: c.told}, Told: at(c.from)}
		news, next := p.News(c.items, at(c.now), place)
		want := time.Time{}
		if c.next != "" {
			want = at(c.next)
		}
		if len(news) != c.want || !next.Equal(want) {
			t.Errorf("%s: %d, then at %v", name, len(news), next)
		}
	}
}
