package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/kalends/kalends/i18n"
)

// i18nCommand groups the commands for translators.
type i18nCommand struct {
	Check i18nCheck `cmd:"" help:"Check the texts of the interface for mistakes."`
}

// i18nCheck checks catalogs: embedded ones or files.
type i18nCheck struct {
	Files     []string `arg:"" optional:"" help:"Text files, such as i18n/texts/pl.json, or languages of the program; default: all languages."`
	Style     string   `type:"path" help:"Style file of the language; default: the one in the style folder next to the text file."`
	Sentences bool     `help:"Print series in words, next to the English."`
	Write     bool     `help:"Sort and indent the files."`
	JSON      bool     `name:"json" help:"Print the findings as JSON."`
}

// errTexts makes the command exit with 1.
var errTexts = errors.New("these texts have mistakes")

// Run implements the command. It changes nothing unless --write formats files, and then either all of them or none.
func (c *i18nCheck) Run(p *program) error {
	texts, err := c.read()
	if err != nil {
		return err
	}
	if c.Sentences {
		return c.say(p, texts)
	}
	found := []i18n.Finding{}
	for i := range texts {
		list, err := texts[i].check(c.Write)
		if err != nil {
			return err
		}
		found = append(found, list...)
	}
	for _, t := range texts {
		if c.Write && t.content != nil {
			if err := os.WriteFile(t.name, t.content, 0o644); err != nil { //nolint:gosec // texts are public
				return err
			}
		}
	}
	if c.JSON {
		err = p.print(found)
	}
	wrong := 0
	for _, f := range found {
		kind := "hint "
		if !f.Hint {
			kind = "wrong"
			wrong++
		}
		if !c.JSON {
			fmt.Fprintf(p.out, "%s  %s\n", kind, f)
		}
	}
	if wrong > 0 {
		return errTexts
	}
	return err
}

// texts is one argument of the command: a file, or a language of the program, which has no content here.
type texts struct {
	name           string
	content, style []byte
}

// read reads all files, so that a wrong name among them is known before anything is done.
func (c *i18nCheck) read() ([]texts, error) {
	if len(c.Files) == 0 {
		c.Files = i18n.Languages()
	}
	list := make([]texts, len(c.Files))
	for i, name := range c.Files {
		list[i].name = name
		if i18n.Supported(name) {
			continue
		}
		var err error
		if list[i].content, err = readInput("<files>", name); err != nil {
			return nil, err
		}
		if !i18n.IsLanguage(languageOf(name)) {
			return nil, invalid(fmt.Errorf("<files>: %s: %q is not a language", name, languageOf(name)))
		}
		if c.Sentences {
			continue
		}
		path := cmp.Or(c.Style, filepath.Join(filepath.Dir(name), "style", languageOf(name)+".json"))
		list[i].style, err = readInput("--style", path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%w: describe there how the language is written, as in i18n/texts/style/en.json", err)
		}
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// languageOf returns the language of a file: its name up to the first dot.
func languageOf(path string) string {
	tag, _, _ := strings.Cut(filepath.Base(path), ".")
	return tag
}

// check returns what is wrong with the texts, which it formats first if that is wanted.
func (t *texts) check(format bool) (found []i18n.Finding, err error) {
	if t.content == nil {
		return i18n.Checked(t.name)
	}
	if format {
		if t.content, err = i18n.InForm(t.content); err != nil {
			return nil, fmt.Errorf("%s: %w", t.name, err)
		}
	}
	return i18n.Check(languageOf(t.name), t.content, t.style)
}

// say prints the descriptions of recurrence rules in the languages.
func (c *i18nCheck) say(p *program, all []texts) error {
	lists := make([][]i18n.Sentence, len(all))
	for i := range all {
		var err error
		if lists[i], err = all[i].sentences(); err != nil {
			return err
		}
	}
	for _, list := range lists {
		if c.JSON {
			if err := p.print(list); err != nil {
				return err
			}
			continue
		}
		for _, s := range list {
			fmt.Fprintf(p.out, "%s\n    %s\n    %s\n", strings.ReplaceAll(s.Rule, "\n", " "), s.English, s.Words)
		}
	}
	return nil
}

// sentences returns the descriptions in the texts.
func (t *texts) sentences() ([]i18n.Sentence, error) {
	if t.content == nil {
		return i18n.SentencesOf(t.name)
	}
	return i18n.Sentences(languageOf(t.name), t.content)
}
