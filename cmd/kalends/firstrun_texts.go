package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
)

// phrasebooks translate the texts of the sample events: language → text → translation.
type phrasebooks map[string]map[string]string

// demoTexts reads the sample events and their translations.
func demoTexts() (samples []sample, books phrasebooks, err error) {
	if err := readDemo("events", &samples); err != nil {
		return nil, nil, err
	}
	books = phrasebooks{}
	for _, language := range demoLanguages {
		book := map[string]string{}
		if err := readDemo(language, &book); err != nil {
			return nil, nil, err
		}
		books[language] = book
	}
	return samples, books, nil
}

func readDemo(name string, into any) error {
	body, err := demo.ReadFile("demo/" + name + ".json")
	if err != nil {
		return fmt.Errorf("read: %w", err)
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if err := decoder.Decode(into); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// speak adds all languages of the samples to the scope's site.
func (in *installation) speak(ctx context.Context) (context.Context, error) {
	scope := *tenancy.Current(ctx)
	site, err := in.platform.Sites.Configure(ctx, &platform.ConfigFields{SettingsFields: platform.SettingsFields{
		ContentLanguages: args.Some(append(args.Texts{scope.Site.Language}, demoLanguages...))}}, "")
	if err != nil {
		return nil, fmt.Errorf("languages: %w", err)
	}
	scope.Site = site
	return tenancy.With(ctx, scope), nil
}

// of returns the translations of the named arguments, as far as the phrasebooks have them.
func (b phrasebooks) of(arguments map[string]any, names ...string) map[string]any {
	all := map[string]any{}
	for language, book := range b {
		texts := map[string]any{}
		for _, name := range names {
			if text, ok := arguments[name].(string); ok && book[text] != "" {
				texts[name] = book[text]
			}
		}
		all[language] = texts
	}
	return all
}

// translate adds translations to the arguments of an event and of its new venues and organizers.
func (b phrasebooks) translate(event args.Values) {
	event["translations"] = b.of(event, "title", "description", "cost")
	if venue, ok := event["venue"].(map[string]any); ok {
		venue["translations"] = b.of(venue, "venue")
	}
	organizers, _ := event["organizer"].([]any)
	for _, one := range organizers {
		if organizer, ok := one.(map[string]any); ok {
			organizer["translations"] = b.of(organizer, "organizer")
		}
	}
}

// nameTerms translates the categories and tags that the samples created.
func (in *installation) nameTerms(ctx context.Context, books phrasebooks) error {
	table := args.TableOf(reflect.TypeFor[calendar.CategoryFields]())
	for _, taxonomy := range []calendar.Taxonomy{calendar.Categories, calendar.Tags} {
		terms := in.calendar.Terms(taxonomy)
		list := &calendar.CategoryFilter{}
		list.PerPage = args.Some(50)
		page, _, err := terms.List(ctx, list)
		if err != nil {
			return fmt.Errorf("sample terms: %w", err)
		}
		for _, term := range page.Items {
			fields := &calendar.CategoryFields{}
			values := args.Values{"translations": books.of(map[string]any{"name": term.Name}, "name")}
			if err := table.Parse(values, args.Updating, fields); err != nil {
				return fmt.Errorf("sample terms: %w", err)
			}
			if _, err := terms.Update(ctx, term.ID, fields, nil); err != nil {
				return fmt.Errorf("sample terms: %w", err)
			}
		}
	}
	return nil
}
