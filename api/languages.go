package api

import (
	"context"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/prices"
	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// spoken is implemented by argument structs that can name the language of texts.
type spoken interface{ In() args.Opt[string] }

// speaks reports whether the requested resource has texts in several languages.
func speaks(in any) bool {
	_, is := in.(spoken)
	return is
}

// speakingIn returns a context whose scope requests texts in the language named by the arguments, if any. It
// returns *args.Problems if the site does not write in that language.
func speakingIn(ctx context.Context, in any) (context.Context, error) {
	by, is := in.(spoken)
	if !is {
		return ctx, nil
	}
	language, asked := by.In().Get()
	if !asked || language == "" {
		return ctx, nil
	}
	scope := *scopeOf(ctx)
	if err := translations.InLanguage(scope.Site, language); err != nil {
		return ctx, err
	}
	scope.Texts = scope.Site.Texts(language)
	return tenancy.With(ctx, scope), nil
}

// addressedIn returns a context whose scope has the language in the query of the URL, if the site writes in it.
// Arguments in the body may set another one.
func addressedIn(ctx context.Context, language string) context.Context {
	scope := *scopeOf(ctx)
	if language == "" || scope.Site == nil || !scope.Site.Speaks(language) {
		return ctx
	}
	scope.At(language)
	return tenancy.With(ctx, scope)
}

// languageOf returns the requested language of texts, or "" on a monolingual site.
func languageOf(ctx context.Context) string {
	if scope := scopeOf(ctx); scope.Site.Multilingual() {
		return scope.Asked()
	}
	return ""
}

// titled sets the language of an answer to that of its item's title.
func (a *Answer) titled(t *calendar.Translated) *Answer {
	a.Language = t.Given().Title
	return a
}

// translated writes the language of an item's title and the languages of its texts or, if requested, all texts. It
// writes nothing on a monolingual site. title is the argument name of the title.
func (v *View) translated(t *calendar.Translated, title string, own func() translations.Text) {
	site := v.Scope.Site
	if !site.Multilingual() {
		return
	}
	v.Text("content_language", t.Given().Title)
	if !v.whole {
		list := []string{site.Language}
		if t.Texts.Marked() {
			if source, _ := t.Apart(own); !source.Words() {
				list = nil
			}
		}
		v.Texts("translations", append(list, v.published(t.Texts.Languages())...)...)
		return
	}
	source, all := t.Apart(own)
	v.Open("translations", '{')
	if source.Words() {
		v.wording(site.Language, &source, title)
	}
	for _, language := range v.published(t.Texts.Languages()) {
		text := all[language]
		v.wording(language, &text, title)
	}
	v.Close('}')
}

// published returns the languages that the site writes in, without its own.
func (v *View) published(languages []string) []string {
	var list []string
	for _, language := range languages {
		if language != v.Scope.Site.Language && v.Scope.Site.Speaks(language) {
			list = append(list, language)
		}
	}
	return list
}

// wording writes the texts in one language.
func (v *View) wording(language string, t *translations.Text, title string) {
	v.Open(language, '{')
	if t.Title != "" {
		v.HTML(title, t.Title)
	}
	v.Some("description", t.Description)
	v.Some("excerpt", t.Excerpt)
	if t.Slug != "" {
		v.Slug(t.Slug)
	}
	if len(t.Cost) > 0 {
		v.Text("cost", prices.Format(t.Cost, prices.CurrencyOf(v.Scope.Site)).Text)
	}
	v.Some("seo_title", t.SEOTitle)
	v.Some("seo_description", t.SEODesc)
	v.Some("address", t.Address)
	v.Some("city", t.City)
	v.Some("country", t.Country)
	if t.Version != 0 {
		v.Int("made_from", t.Version)
		v.Bool("outdated", t.Outdated)
		if stale := t.StaleFields(); len(stale) > 0 {
			if stale[0] == "title" {
				stale[0] = title
			}
			v.Texts("outdated_fields", stale...)
		}
	}
	v.Close('}')
}
