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

// term writes a category or tag (rule 8.3). Single objects include _links to this API, or at TEC's address to WordPress' own.
func (v *View) term(t *calendar.Term, single bool) {
	names := taxonomyNames[t.Taxonomy]
	v.Item()
	v.Int("id", t.ID)
	v.Int("count", int64(t.Count))
	v.Text("description", t.Description)
	v.HTML("name", t.Name)
	v.Slug(t.Slug)
	v.Text("taxonomy", names.wire)
	if t.Taxonomy == calendar.Categories {
		v.Int("parent", t.Parent)
	}
	v.Raw("meta", "[]")
	v.Text("url", v.TermPage(t))
	v.termAddresses(t)
	v.termTexts(t)
	if single {
		v.Open("_links", '{')
		v.Href("self", v.linkedTerms(t.Taxonomy)+"/"+strconv.FormatInt(t.ID, 10))
		v.Href("collection", v.linkedTerms(t.Taxonomy))
		v.Href("about", v.Root+"/doc")
		if t.Parent != 0 {
			v.Embeddable("up", v.linkedTerms(t.Taxonomy)+"/"+strconv.FormatInt(t.Parent, 10))
		}
		if v.Scope.Base.Namespace == Reference {
			v.EventsOfTerm(v.wordPress(), t)
		}
		v.Close('}')
	}
	v.Close('}')
}

// nestedTerms writes the terms of an event (rule 8.3).
func (v *View) nestedTerms(key string, terms []calendar.Term) {
	v.Open(key, '[')
	for i := range terms {
		v.nestedTerm(&terms[i])
	}
	v.Close(']')
}

func (v *View) nestedTerm(t *calendar.Term) {
	if v.again(v.written, -t.ID) {
		return
	}
	defer v.note(v.written, -t.ID, len(v.Bytes))
	v.Item()
	v.HTML("name", t.Name)
	v.Slug(t.Slug)
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

func (v *View) termTexts(t *calendar.Term) {
	v.translated(&t.Translated, "name", t.Text)
}

func (v *View) termAddresses(t *calendar.Term) {
	v.Open("urls", '{')
	v.Text("self", v.termAddress(t, t.ID))
	v.Text("collection", v.Root+"/"+taxonomyNames[t.Taxonomy].collection)
	if t.Parent != 0 {
		v.Text("up", v.termAddress(t, t.Parent))
	}
	v.Close('}')
}

func (v *View) termAddress(t *calendar.Term, id int64) string {
	return v.Root + "/" + taxonomyNames[t.Taxonomy].collection + "/" + strconv.FormatInt(id, 10)
}

// linkedTerms returns the address of a collection in Location and _links. At TEC's address it is in WordPress' own API.
func (v *View) linkedTerms(t calendar.Taxonomy) string {
	if v.Scope.Base.Namespace != Reference {
		return v.Root + "/" + taxonomyNames[t].collection
	}
	return v.wordPress() + "/" + WordPressTerms(t)
}

// wordPress returns the address of WordPress' own API.
func (v *View) wordPress() string { return v.Scope.Base.Origin + v.Scope.Base.Prefix + WordPress }

// WordPressTerms returns the name of a collection of terms in addresses of WordPress' own API.
func WordPressTerms(t calendar.Taxonomy) string {
	if t == calendar.Tags {
		return "tags"
	}
	return "tribe_events_cat"
}

// EventsOfTerm writes the link to the events of a term in WordPress' own API, whose address is root, and what the prefix of such
// relations means.
func (v *View) EventsOfTerm(root string, t *calendar.Term) {
	v.Href("wp:post_type", root+"/tribe_events?"+WordPressTerms(t.Taxonomy)+"="+strconv.FormatInt(t.ID, 10))
	v.Curies()
}

// Embeddable writes a link to what WordPress can embed, with a relation.
func (v *View) Embeddable(rel, address string) {
	v.Open(rel, '[')
	v.Item()
	v.Bool("embeddable", true)
	v.Text("href", address)
	v.Close('}')
	v.Close(']')
}

// Curies writes what the prefix of WordPress' own relations means.
func (v *View) Curies() {
	v.Raw("curies", `[{"name":"wp","href":"https://api.w.org/{rel}","templated":true}]`)
}

// Href writes a link with a relation.
func (v *View) Href(rel, address string) {
	v.Open(rel, '[')
	v.Item()
	v.Text("href", address)
	v.Close('}')
	v.Close(']')
}
