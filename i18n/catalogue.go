package i18n

import (
	"bufio"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"sort"
	"strings"
	"sync"

	goi18n "github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"
)

//go:embed *.json style/*.json
var files embed.FS

// loaded finds the embedded catalogues once.
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
	byFold  map[string]string // tags by their small letters
	matcher language.Matcher  // over tags, in their order
}

// catalogue is the texts of one language. They are read when the first is asked
// for: most installations speak few of the languages.
type catalogue struct {
	tag         string
	files       fs.FS
	rightToLeft bool
	name        func() string // what its speakers call it

	once      sync.Once
	localizer *goi18n.Localizer
	texts     map[string]*text
}

// text is what is known of one text before it is asked for.
type text struct {
	plain  string // the text itself when it has no placeholders and no plural
	plural bool
}

// load finds the catalogues of a file system.
func load(from fs.FS) (*set, error) {
	names, err := fs.Glob(from, "*.json")
	if err != nil {
		return nil, err
	}
	all := &set{byTag: map[string]*catalogue{}, byFold: map[string]string{}}
	for _, name := range names {
		tag := strings.TrimSuffix(name, ".json")
		parsed, err := language.Parse(tag)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all.byTag[tag] = &catalogue{tag: tag, files: from, rightToLeft: rightToLeft(parsed),
			name: sync.OnceValue(func() string { return nameIn(from, name) })}
		all.byFold[strings.ToLower(tag)] = tag
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
	all.matcher = matcherOf(all.tags)
	return all, nil
}

// nameIn finds what a language calls itself without reading the whole catalogue:
// pages name every language and speak one.
func nameIn(from fs.FS, file string) string {
	f, err := from.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if value, found := strings.CutPrefix(lines.Text(), `  "language.name": `); found {
			var name string
			if json.Unmarshal([]byte(strings.TrimSuffix(value, ",")), &name) == nil {
				return name
			}
		}
	}
	return ""
}

// all returns the texts, read at the first call.
func (c *catalogue) all() map[string]*text {
	c.once.Do(func() {
		if err := c.read(); err != nil {
			panic("i18n: " + c.tag + ".json: " + err.Error()) // the files are part of the program
		}
	})
	return c.texts
}

// read looks at the texts of the file, and hands those to go-i18n that have to be
// filled. It returns an error for a file that go-i18n can't read and for a text
// with a malformed placeholder.
func (c *catalogue) read() error {
	name := c.tag + ".json"
	content, err := fs.ReadFile(c.files, name)
	if err != nil {
		return err
	}
	file, err := goi18n.ParseMessageFileBytes(content, name, nil)
	if err != nil {
		return err
	}
	texts := make(map[string]*text, len(file.Messages))
	var filled []*goi18n.Message
	for _, m := range file.Messages {
		t, err := look(m)
		if err != nil {
			return fmt.Errorf("%s: %w", m.ID, err)
		}
		if texts[m.ID] = t; t.plain == "" {
			filled = append(filled, m)
		}
	}
	bundle := goi18n.NewBundle(file.Tag)
	if err := bundle.AddMessages(file.Tag, filled...); err != nil {
		return err
	}
	c.localizer, c.texts = goi18n.NewLocalizer(bundle, c.tag), texts
	return nil
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
