package i18n

import (
	"embed"
	"fmt"
	"io/fs"
	"sort"
	"strings"
	"sync"

	goi18n "github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"
)

//go:embed *.json
var files embed.FS

// loaded reads the embedded catalogues once.
var loaded = sync.OnceValue(func() *set {
	all, err := load(files)
	if err != nil {
		panic("i18n: " + err.Error()) // the files are part of the program
	}
	return all
})

// set is all catalogues.
type set struct {
	tags    []string // English first
	byTag   map[string]*catalogue
	matcher language.Matcher // over tags, in their order
}

// catalogue is the texts of one language.
type catalogue struct {
	localizer   *goi18n.Localizer
	texts       map[string]*text
	rightToLeft bool
}

// text is what is known of one text before it is asked for.
type text struct {
	plain  string // the text itself when it has no placeholders and no plural
	plural bool
}

// load reads the catalogues of a file system. It returns an error for a file
// that go-i18n can't read and for a text with a malformed placeholder.
func load(from fs.FS) (*set, error) {
	names, err := fs.Glob(from, "*.json")
	if err != nil {
		return nil, err
	}
	all := &set{byTag: map[string]*catalogue{}}
	bundle := goi18n.NewBundle(language.Make(source))
	for _, name := range names {
		tag := strings.TrimSuffix(name, ".json")
		c, err := read(from, bundle, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all.byTag[tag] = c
		all.tags = append(all.tags, tag)
	}
	if all.byTag[source] == nil {
		return nil, fmt.Errorf("no catalogue %s.json", source)
	}
	sort.Slice(all.tags, func(i, j int) bool {
		if (all.tags[i] == source) != (all.tags[j] == source) {
			return all.tags[i] == source
		}
		return all.tags[i] < all.tags[j]
	})
	known := make([]language.Tag, len(all.tags))
	for i, tag := range all.tags {
		known[i] = language.Make(tag)
		all.byTag[tag].localizer = goi18n.NewLocalizer(bundle, tag)
	}
	all.matcher = language.NewMatcher(known)
	return all, nil
}

// read looks at the texts of one file, and adds those to the bundle that have to be
// filled.
func read(from fs.FS, bundle *goi18n.Bundle, name string) (*catalogue, error) {
	content, err := fs.ReadFile(from, name)
	if err != nil {
		return nil, err
	}
	file, err := goi18n.ParseMessageFileBytes(content, name, nil)
	if err != nil {
		return nil, err
	}
	c := &catalogue{texts: make(map[string]*text, len(file.Messages)), rightToLeft: rightToLeft(file.Tag)}
	var filled []*goi18n.Message
	for _, m := range file.Messages {
		t, err := look(m)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.ID, err)
		}
		if c.texts[m.ID] = t; t.plain == "" {
			filled = append(filled, m)
		}
	}
	return c, bundle.AddMessages(file.Tag, filled...)
}

// look returns what is known of a text; an error means that one of its forms has
// a malformed placeholder.
func look(m *goi18n.Message) (*text, error) {
	t := &text{}
	for _, form := range []string{m.Zero, m.One, m.Two, m.Few, m.Many} {
		t.plural = t.plural || form != ""
		if _, err := split(form); err != nil {
			return nil, err
		}
	}
	parsed, err := split(m.Other)
	if !t.plural && len(parsed) == 1 && parsed[0].name == "" {
		t.plain = m.Other
	}
	return t, err
}

// rightToLeft reports whether a language is usually written that way.
func rightToLeft(tag language.Tag) bool {
	script, _ := tag.Script()
	switch script.String() {
	case "Adlm", "Arab", "Hebr", "Mand", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa":
		return true
	}
	return false
}

// fill returns a text with its placeholders filled, in the plural form of the
// number that data names.
func (c *catalogue) fill(key string, t *text, data map[string]any) string {
	config := &goi18n.LocalizeConfig{MessageID: key, TemplateData: data, TemplateParser: splitter{}}
	if t.plural {
		config.PluralCount = count(data)
	}
	filled, err := c.localizer.Localize(config)
	if err != nil && filled == "" {
		return key
	}
	return filled
}
