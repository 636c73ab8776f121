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
	v.Item()
	v.Int("id", t.ID)
	v.Int("count", int64(t.Count))
	v.Text("description", t.Description)
	v.HTML("name", t.Name)
	v.slug(t.Slug)
	v.Text("taxonomy", names.wire)
	if t.Taxonomy == calendar.Categories {
		v.Int("parent", t.Parent)
	}
	v.Raw("meta", "[]")
	v.Text("url", v.termPage(t))
	v.termAddresses(t)
	v.termTexts(t)
	if single {
		v.Open("_links", '{')
		v.href("self", v.linkedTerms(t.Taxonomy)+"/"+strconv.FormatInt(t.ID, 10))
		v.href("collection", v.linkedTerms(t.Taxonomy))
		v.href("about", v.api+"/doc")
		v.Close('}')
	}
	v.Close('}')
}

// nestedTerms writes the terms of an event (rule 8.3).
func (v *view) nestedTerms(key string, terms []calendar.Term) {
	v.Open(key, '[')
	for i := range terms {
		v.nestedTerm(&terms[i])
	}
	v.Close(']')
}

func (v *view) nestedTerm(t *calendar.Term) {
	if v.again(v.written, -t.ID) {
		return
	}
	defer v.note(v.written, -t.ID, len(v.Bytes))
	v.Item()
	v.HTML("name", t.Name)
	v.slug(t.Slug)
	v.Int("term_group", 0)
	v.Int("term_taxonomy_id", t.ID)
	v.Text("taxonomy", taxonomyNames[t.Taxonomy].wire)
	v.Text("description", t.Description)
	v.Int("parent", t.Parent)
	v.Int("count", int64(t.Count))
	v.Text("filter", "raw")
	v.Int("id", t.ID)
	v.termAddresses(t)
	v.termTexts(t)
	v.Close('}')
}

func (v *view) termTexts(t *calendar.Term) {
	v.translated(&t.Translated, "name", t.Text)
}

func (v *view) termAddresses(t *calendar.Term) {
	v.Open("urls", '{')
	v.Text("self", v.termAddress(t, t.ID))
	v.Text("collection", v.api+"/"+taxonomyNames[t.Taxonomy].collection)
	if t.Parent != 0 {
		v.Text("up", v.termAddress(t, t.Parent))
	}
	v.Close('}')
}

func (v *view) termAddress(t *calendar.Term, id int64) string {
	return v.api + "/" + taxonomyNames[t.Taxonomy].collection + "/" + strconv.FormatInt(id, 10)
}

// linkedTerms returns the address of a collection in Location and _links. At TEC's address it is in WordPress' own API.
func (v *view) linkedTerms(t calendar.Taxonomy) string {
	switch {
	case v.scope.Base.Namespace != Reference:
		return v.api + "/" + taxonomyNames[t].collection
	case t == calendar.Tags:
		return v.scope.Base.Origin + v.scope.Base.Prefix + WordPress + "/tags"
	}
	return v.scope.Base.Origin + v.scope.Base.Prefix + WordPress + "/tribe_events_cat"
}

func (v *view) href(rel, address string) {
	v.Open(rel, '[')
	v.Item()
	v.Text("href", address)
	v.Close('}')
	v.Close(']')
}
