package api

import (
	"strconv"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
)

// params collects the arguments of an address in order.
type params []Param

func (p *params) text(name, value string) {
	if value != "" {
		*p = append(*p, Param{name, value})
	}
}

func (p *params) ids(name string, ids []int64) {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = strconv.FormatInt(id, 10)
	}
	p.text(name, strings.Join(texts, ","))
}

// length adds the page length.
func (p *params) length(perPage int) { p.text("per_page", strconv.Itoa(perPage)) }

func (p *params) id(name string, id int64) {
	if id != 0 {
		p.text(name, strconv.FormatInt(id, 10))
	}
}

func (p *params) bool(name string, b *bool) {
	if b != nil {
		p.text(name, strconv.FormatBool(*b))
	}
}

func (p *params) refs(name string, refs args.Refs) {
	texts := make([]string, len(refs))
	for i, ref := range refs {
		texts[i] = ref.Text
		if ref.ID != 0 {
			texts[i] = strconv.FormatInt(ref.ID, 10)
		}
	}
	p.text(name, strings.Join(texts, ","))
}

// spoken adds the arguments for the language of texts.
func (p *params) spoken(q calendar.TextQuery) {
	p.text("content_language", q.Language)
	if q.Whole {
		p.text("translations", "full")
	}
	if q.Translated != "" {
		p.text("translated", "true")
	}
}

func (p *params) statuses(list []calendar.Status, viewer calendar.Viewer) {
	texts := make([]string, len(list))
	for i, s := range list {
		texts[i] = string(s)
	}
	if len(list) == 0 && viewer == (calendar.Viewer{}) {
		texts = []string{string(calendar.Publish)}
	}
	p.text("status", strings.Join(texts, ","))
}

func (p *params) float(name string, f float64) {
	p.text(name, strconv.FormatFloat(f, 'f', -1, 64))
}
