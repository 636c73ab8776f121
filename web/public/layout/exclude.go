package layout

import (
	"context"
	"slices"
	"strconv"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/ui"
)

// nameExcluded reads the names of excluded entries, for the chips.
func (w *Pages) nameExcluded(ctx context.Context, c *Choice) error {
	c.names = map[[2]string]string{}
	for parameter, taxonomy := range map[string]calendar.Taxonomy{
		"categories_exclude": calendar.Categories,
		"tags_exclude":       calendar.Tags,
	} {
		for _, slug := range c.Values[parameter] {
			f := &calendar.CategoryFilter{}
			f.Slug, f.HideEmpty = args.Some(slug), args.Some(false)
			page, _, err := w.calendar.Terms(taxonomy).List(ctx, f)
			if err != nil {
				return err
			}
			for _, term := range page.Items {
				c.names[[2]string{parameter, slug}] = term.Name
			}
		}
	}
	ids, given := c.VenueExclude.Get()
	if !given {
		return nil
	}
	page, err := w.calendar.Venues().Several(ctx, ids)
	if err != nil {
		return err
	}
	for _, v := range page.Items {
		c.names[[2]string{"venue_exclude", strconv.FormatInt(v.ID, 10)}] = v.Name
	}
	return nil
}

// excluded returns the chips of excluded entries.
func (c *Choice) excluded(ctx context.Context) (list []chip) {
	for _, parameter := range excludeNames {
		for _, value := range c.Values[parameter] {
			name, known := c.names[[2]string{parameter, value}]
			if !known {
				name = value
			}
			list = append(list, chip{ui.SayWith(ctx, "filter.without", "Name", name), c.At + c.without(parameter, value)})
		}
	}
	return list
}

// leftOut returns the group of categories to exclude, including those already excluded.
func (c *Choice) leftOut() group {
	g := group{name: "categories_exclude", label: "categories"}
	g.options = c.options(g.name, c.Facets.Categories, func(one calendar.Facet) string { return one.Slug })
	for i := range g.options {
		if o := &g.options[i]; o.chosen {
			o.count = UnknownCount
			if name, known := c.names[[2]string{g.name, o.value}]; known {
				o.text = name
			}
		}
	}
	return g
}

// carried returns the area and the excluded entries that no group of the form shows, by parameter and value, for
// hidden fields.
func (c *Choice) carried(groups []group) (list [][2]string) {
	shown := slices.ContainsFunc(groups, func(g group) bool { return g.name == "category" })
	for _, parameter := range append(slices.Clone(areaNames), excludeNames...) {
		for _, value := range c.Values[parameter] {
			if !shown || parameter != "categories_exclude" {
				list = append(list, [2]string{parameter, value})
			}
		}
	}
	return list
}
