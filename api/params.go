package api

import (
	"strconv"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
)

// Params collects the arguments of an address in order.
type Params []Param

// Text adds an argument unless it is "".
func (p *Params) Text(name, value string) {
	if value != "" {
		*p = append(*p, Param{name, value})
	}
}

func (p *Params) ids(name string, ids []int64) {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = strconv.FormatInt(id, 10)
	}
	p.Text(name, strings.Join(texts, ","))
}

// Length adds the page length.
func (p *Params) Length(perPage int) { p.Text("per_page", strconv.Itoa(perPage)) }

// ID adds an id unless it is 0.
func (p *Params) ID(name string, id int64) {
	if id != 0 {
		p.Text(name, strconv.FormatInt(id, 10))
	}
}

func (p *Params) bool(name string, b *bool) {
	if b != nil {
		p.Text(name, strconv.FormatBool(*b))
	}
}

func (p *Params) refs(name string, refs args.Refs) {
	texts := make([]string, len(refs))
	for i, ref := range refs {
		texts[i] = ref.Text
		if ref.ID != 0 {
			texts[i] = strconv.FormatInt(ref.ID, 10)
		}
	}
	p.Text(name, strings.Join(texts, ","))
}

// spoken adds the arguments for the language of texts.
func (p *Params) spoken(q calendar.TextQuery) {
	p.Text("content_language", q.Language)
	if q.Whole {
		p.Text("translations", "full")
	}
	if q.Translated != "" {
		p.Text("translated", "true")
	}
}

func (p *Params) statuses(list []calendar.Status, viewer calendar.Viewer) {
	texts := make([]string, len(list))
	for i, s := range list {
		texts[i] = string(s)
	}
	if len(list) == 0 && viewer == (calendar.Viewer{}) {
		texts = []string{string(calendar.Publish)}
	}
	p.Text("status", strings.Join(texts, ","))
}

func (p *Params) float(name string, f float64) {
	p.Text(name, strconv.FormatFloat(f, 'f', -1, 64))
}
