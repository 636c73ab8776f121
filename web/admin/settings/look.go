package settings

import (
	"net/url"
	"slices"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/public"
)

// lookFields are the settings that the front page beside the form shows while people choose them.
var lookFields = []string{"name", "tagline", "theme", "accent", "corners", "font", "logo", "header"}

// previewed are the settings that the preview of a page follows.
var previewed = slices.Concat([]string{"date_form", "currency_symbol", "timezone"}, seasonNames, lookFields)

// previews reports whether the page has settings that its preview follows.
func (ed *editor) previews() bool { return ed.has(previewed...) }

// followed returns the parts that stand beside the preview because it follows them, or the others.
func (ed *editor) followed(beside bool) (list []part) {
	for _, p := range ed.parts {
		if slices.ContainsFunc(p.fields, func(name string) bool { return slices.Contains(previewed, name) }) == beside {
			list = append(list, p)
		}
	}
	return list
}

// lookAddress is the address of the front page with the settings in the form.
func (ed *editor) lookAddress() string {
	query := url.Values{}
	for _, name := range lookFields {
		query.Set(name, ed.form.Get(name))
	}
	if ed.has(seasonNames...) {
		query.Set(seasons, strconv.Itoa(ed.previewedSeason()))
		for name := range ed.form.Values {
			if ofSeason(name) {
				query.Set(name, ed.form.Get(name))
			}
		}
	}
	return path + "/look?" + query.Encode()
}

// look shows the front page of the site with the settings in the address, or with the stored settings if those in
// the address are invalid. It stores nothing.
func (w *Pages) look(v *frame.Visit) (*frame.Reply, error) {
	site, err := w.platform.Sites.Configuration(v.Ctx)
	if err != nil {
		return nil, err
	}
	values := args.Values{}
	for _, name := range lookFields {
		if v.Query.Has(name) {
			values[name] = v.Query.Get(name)
		}
	}
	season := 0
	if v.Query.Has(seasons) {
		values[seasons] = seasonsIn(&frame.Form{Values: v.Query}, formOf(v.Ctx, site))
		season, _ = strconv.Atoi(v.Query.Get(seasons))
	}
	fields := &platform.ConfigFields{}
	if configTable.Parse(values, args.Updating, fields) == nil {
		if chosen, err := w.platform.Sites.Configured(v.Ctx, fields); err == nil {
			site = chosen
		}
	}
	return &frame.Reply{Write: func(c *fiber.Ctx) error {
		return public.New(w.calendar, nil, nil, nil, nil, nil).ShowFront(c, site, min(max(season, 0), tenancy.MostSeasons))
	}}, nil
}
