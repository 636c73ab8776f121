package letters

import (
	"cmp"
	"context"
	"strings"

	"github.com/kalends/kalends/calendar/attention"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/mail"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
)

// Limits of a letter: the number of titles of each kind, and the length of a title and of an editor's note in
// runes.
const (
	mostTitles   = 5
	longestTitle = 120
	longestNote  = 600
)

// Waiting implements attention.Writer.
type Waiting struct {
	Resolver *platform.Resolver
	Page     func(attention.Kind) string // path of the page for waiting items of a kind; "": for all kinds
	Settings string                      // path of the page where people choose how often they are notified
}

// Waits implements attention.Writer. Of what strangers have sent, it quotes only the titles, each on a separate
// line.
func (l *Waiting) Waits(ctx context.Context, to *tenancy.User, items []attention.Item) *mail.Message {
	scope := tenancy.Current(ctx)
	language := cmp.Or(to.Language, scope.Site.Language)
	of := map[attention.Kind][]attention.Item{}
	for _, one := range items {
		of[one.Kind] = append(of[one.Kind], one)
	}
	var lines, news []string
	var kind attention.Kind
	for _, k := range attention.Kinds {
		list := of[k]
		if len(list) == 0 {
			continue
		}
		if kind = k; len(news) > 0 {
			kind = ""
		}
		said := i18n.Text(language, "letter.waits."+string(k), map[string]any{"Number": i18n.Number(language, len(list))})
		news = append(news, said)
		lines = append(lines, said)
		for _, one := range list[:min(mostTitles, len(list))] {
			title := "– " + oneLine(one.Title, longestTitle)
			switch {
			case one.Kind == attention.Report && one.Note != "event":
				lines = append(lines, title+" · "+i18n.Text(language, "public."+one.Note, nil))
			case one.Kind != attention.Report && one.Note != "":
				lines = append(lines, title, "  "+oneLine(one.Note, longestNote))
			default:
				lines = append(lines, title)
			}
		}
		if len(list) > mostTitles {
			lines = append(lines, "– …")
		}
		lines = append(lines, "")
	}
	home := l.Resolver.Sent(scope)
	data := map[string]any{"Name": to.Name, "Site": scope.Site.WordsIn(language).Name, "What": strings.Join(news, " · "),
		"List": strings.Join(lines[:len(lines)-1], "\n"), "Link": home + l.Page(kind), "Settings": home + l.Settings}
	return &mail.Message{
		Subject: i18n.Text(language, "letter.waits.subject", data),
		Text:    i18n.Text(language, "letter.waits.text", data) + "\n",
	}
}

// oneLine returns a text as a single line, shortened to most runes.
func oneLine(text string, most int) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}
