package api

import (
	"context"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// spoken is an argument struct that can name the language of texts.
type spoken interface{ In() args.Opt[string] }

// speaks reports whether what is asked for has texts in several languages.
func speaks(in any) bool {
	_, is := in.(spoken)
	return is
}

// speakingIn returns a context whose scope wants texts in the language that the
// arguments name, if they do. It returns *args.Problems where the site isn't written in
// that.
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
	if err := calendar.InLanguage(scope.Site, language); err != nil {
		return ctx, err
	}
	scope.Texts = scope.Site.Texts(language)
	return tenancy.With(ctx, scope), nil
}

// languageOf returns the language that the texts of an answer are asked for in, "" on a
// site that is written in one.
func languageOf(ctx context.Context) string {
	if scope := scopeOf(ctx); scope.Site.Multilingual() {
		return scope.Asked()
	}
	return ""
}

// titled says that an answer is in the language that the title of its item is given in.
func (a *Answer) titled(t *calendar.Translated) *Answer {
	a.Language = t.Given.Title
	return a
}

// translated writes in which language the title of an item is, and in which languages
// it has texts, where the site is written in several: all texts, if they are asked for.
// title is the name of that argument.
func (v *view) translated(t *calendar.Translated, title string, own func() calendar.Text) {
	site := v.scope.Site
	if !site.Multilingual() {
		return
	}
	v.text("content_language", t.Given.Title)
	if !v.whole {
		v.texts("translations", append([]string{site.Language}, v.published(t.Texts.Languages())...)...)
		return
	}
	source := t.Source
	if source == nil {
		text := own()
		source = &text
	}
	v.open("translations", '{')
	v.wording(site.Language, source, title)
	all := t.Texts.All()
	for _, language := range v.published(t.Texts.Languages()) {
		text := all[language]
		v.wording(language, &text, title)
	}
	v.close('}')
}

// published returns those of languages that the site is written in beside its own.
func (v *view) published(languages []string) []string {
	var list []string
	for _, language := range languages {
		if language != v.scope.Site.Language && v.scope.Site.Speaks(language) {
			list = append(list, language)
		}
	}
	return list
}

// wording writes the texts of one language.
func (v *view) wording(language string, t *calendar.Text, title string) {
	v.open(language, '{')
	if t.Title != "" {
		v.html(title, t.Title)
	}
	v.some("description", t.Description)
	v.some("excerpt", t.Excerpt)
	if t.Slug != "" {
		v.slug(t.Slug)
	}
	if len(t.Cost) > 0 {
		v.text("cost", calendar.FormatCost(t.Cost, calendar.CurrencyOf(v.scope.Site)).Text)
	}
	v.some("seo_title", t.SEOTitle)
	v.some("seo_description", t.SEODesc)
	if t.Version != 0 {
		v.int("made_from", t.Version)
		v.bool("outdated", t.Outdated)
	}
	v.close('}')
}
