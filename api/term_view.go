package api

import (
	"strconv"

	"github.com/kalends/kalends/calendar"
)

// taxonomyNames are the names of the taxonomies in responses (rule 8.3).
var taxonomyNames = map[calendar.Taxonomy]struct{ wire, collection string }{
	calendar.Categories: {"tribe_events_cat", "categories"},
	calendar.Tags:       {"post_tag", "tags"},
}

// term writes a category or tag (rule 8.3). Single objects include _links to this API.
func (v *view) term(t *calendar.Term, single bool) {
	names := taxonomyNames[t.Taxonomy]
	v.item()
	v.int("id", t.ID)
	v.int("count", int64(t.Count))
	v.text("description", t.Description)
	v.html("name", t.Name)
	v.slug(t.Slug)
	v.text("taxonomy", names.wire)
	if t.Taxonomy == calendar.Categories {
		v.int("parent", t.Parent)
	}
	v.raw("meta", "[]")
	v.text("url", v.termPage(t))
	v.termAddresses(t)
	v.termTexts(t)
	if single {
		v.open("_links", '{')
		v.href("self", v.termAddress(t, t.ID))
		v.href("collection", v.api+"/"+names.collection)
		v.href("about", v.api+"/doc")
		v.close('}')
	}
	v.close('}')
}

// nestedTerms writes the terms of an event (rule 8.3).
func (v *view) nestedTerms(key string, terms []calendar.Term) {
	v.open(key, '[')
	for i := range terms {
		v.nestedTerm(&terms[i])
	}
	v.close(']')
}

func (v *view) nestedTerm(t *calendar.Term) {
	if v.again(v.written, -t.ID) {
		return
	}
	defer v.note(v.written, -t.ID, len(v.b))
	v.item()
	v.html("name", t.Name)
	v.slug(t.Slug)
	v.int("term_group", 0)
	v.int("term_taxonomy_id", t.ID)
	v.text("taxonomy", taxonomyNames[t.Taxonomy].wire)
	v.text("description", t.Description)
	v.int("parent", t.Parent)
	v.int("count", int64(t.Count))
	v.text("filter", "raw")
	v.int("id", t.ID)
	v.termAddresses(t)
	v.termTexts(t)
	v.close('}')
}

func (v *view) termTexts(t *calendar.Term) {
	v.translated(&t.Translated, "name", func() calendar.Text {
		return calendar.Text{Title: t.Name, Description: t.Description, Slug: t.Slug}
	})
}

func (v *view) termAddresses(t *calendar.Term) {
	v.open("urls", '{')
	v.text("self", v.termAddress(t, t.ID))
	v.text("collection", v.api+"/"+taxonomyNames[t.Taxonomy].collection)
	if t.Parent != 0 {
		v.text("up", v.termAddress(t, t.Parent))
	}
	v.close('}')
}

func (v *view) termAddress(t *calendar.Term, id int64) string {
	return v.api + "/" + taxonomyNames[t.Taxonomy].collection + "/" + strconv.FormatInt(id, 10)
}

func (v *view) href(rel, address string) {
	v.open(rel, '[')
	v.item()
	v.text("href", address)
	v.close('}')
	v.close(']')
}
