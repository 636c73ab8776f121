package main

import (
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
	Files     []string `arg:"" optional:"" help:"Text files, such as i18n/pl.json, or languages of the program; default: all languages."`
	Style     string   `type:"path" help:"Style file of the language; default: the one in the style folder next to the text file."`
	Sentences bool     `help:"Print series in words, next to the English."`
	Write     bool     `help:"Sort and indent the files."`
	JSON      bool     `name:"json" help:"Print the findings as JSON."`
}

// errTexts makes the command exit with 1.
var errTexts = errors.New("these texts have mistakes")

// Run implements the command. It changes nothing unless --write formats files.
func (c *i18nCheck) Run(p *program) error {
	if len(c.Files) == 0 {
		c.Files = i18n.Languages()
	}
	found := []i18n.Finding{}
	for _, name := range c.Files {
		if c.Sentences {
			if err := c.say(p, name); err != nil {
				return err
			}
			continue
		}
		list, err := c.check(name)
		if err != nil {
			return &usageError{err}
		}
		found = append(found, list...)
	}
	if c.JSON && !c.Sentences {
		if err := p.print(found); err != nil {
			return err
		}
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
	return nil
}

// languageOf returns the language of a file: its name up to the first dot.
func languageOf(path string) string {
	tag, _, _ := strings.Cut(filepath.Base(path), ".")
	return tag
}

// check checks a file or an embedded language.
func (c *i18nCheck) check(name string) ([]i18n.Finding, error) {
	if i18n.Supported(name) {
		return i18n.Checked(name)
	}
	content, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if c.Write {
		if content, err = i18n.InForm(content); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if err := os.WriteFile(name, content, 0o644); err != nil { //nolint:gosec // texts are public
			return nil, err
		}
	}
	path := c.Style
	if path == "" {
		path = filepath.Join(filepath.Dir(name), "style", languageOf(name)+".json")
	}
	style, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: describe there how the language is written, as in i18n/style/en.json: %w", path, err)
	}
	if err != nil {
		return nil, err
	}
	return i18n.Check(languageOf(name), content, style)
}

// say prints the descriptions of recurrence rules in a language.
func (c *i18nCheck) say(p *program, name string) error {
	list, err := sentencesOf(name)
	if err != nil {
		return &usageError{err}
	}
	if c.JSON {
		return p.print(list)
	}
	for _, s := range list {
		fmt.Fprintf(p.out, "%s\n    %s\n    %s\n", strings.ReplaceAll(s.Rule, "\n", " "), s.English, s.Words)
	}
	return nil
}

// sentencesOf returns the descriptions in a file or an embedded language.
func sentencesOf(name string) ([]i18n.Sentence, error) {
	if i18n.Supported(name) {
		return i18n.SentencesOf(name)
	}
	content, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return i18n.Sentences(languageOf(name), content)
}
