package i18n

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io/fs"
	"sort"
	"strings"
	"sync"

	goi18n "github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"

	"github.com/kalends/kalends/i18n/texts"
)

var files = texts.Files

// loaded loads the embedded catalogs once.
var loaded = sync.OnceValue(func() *set {
	all, err := load(files)
	if err != nil {
		panic("i18n: " + err.Error()) // the files are embedded
	}
	return all
})

// set is the set of all catalogs.
type set struct {
	tags    []string // English first
	byTag   map[string]*catalogue
	byFold  map[string]string // tags by their lowercase form
	matcher language.Matcher  // over tags, in the same order
}

// catalogue holds the texts of one language. They are parsed on first use, because most installations use few
// languages.
type catalogue struct {
	tag         string
	files       fs.FS
	rightToLeft bool
	name        func() string // the language's own name

	once      sync.Once
	localizer *goi18n.Localizer
	texts     map[string]*text
}

// text is what is known of a text in advance.
type text struct {
	plain  string // the text itself, if it has neither placeholders nor plurals
	plural bool
}

// load finds the catalogs in a file system.
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

// nameIn returns a language's own name without parsing the whole catalog, because pages list every language but use
// one.
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

// all returns the texts, parsing them on the first call.
func (c *catalogue) all() map[string]*text {
	c.once.Do(func() {
		if err := c.read(); err != nil {
			panic("i18n: " + c.tag + ".json: " + err.Error()) // the files are part of the program
		}
	})
	return c.texts
}

// read parses the file and registers the texts with placeholders or plurals with go-i18n. It returns an error if
// go-i18n cannot read the file or if a placeholder is malformed.
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

// look inspects a text. It returns an error if one of its forms has a malformed placeholder.
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

// rightToLeft reports whether a language is usually written from right to left.
func rightToLeft(tag language.Tag) bool {
	script, _ := tag.Script()
	switch script.String() {
	case "Adlm", "Arab", "Hebr", "Mand", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa":
		return true
	}
	return false
}

// fill returns a text with placeholders filled, in the plural form for the number in data.
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
