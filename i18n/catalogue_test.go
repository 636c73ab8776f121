package i18n

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the catalogues in their form: sorted by key, two blanks of indent")

// entries parses a catalog file without go-i18n.
func entries(t *testing.T, tag string) map[string]entry {
	t.Helper()
	content, err := files.ReadFile(tag + ".json")
	if err != nil {
		t.Fatal(err)
	}
	list, err := entriesOf(content)
	if err != nil {
		t.Fatalf("%s: %v", tag, err)
	}
	return list
}

// Every catalog passes i18n check.
func TestCatalogues(t *testing.T) {
	t.Parallel()
	for _, tag := range Languages() {
		if *update {
			rewrite(t, "texts/"+tag+".json")
		}
		t.Run(tag, func(t *testing.T) {
			t.Parallel()
			found, err := Checked(tag)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range found {
				if f.Hint {
					t.Log(f)
				} else {
					t.Error(f)
				}
			}
		})
	}
}

// TestUnitsOfPeople: texts name sizes as people and their devices do.
func TestUnitsOfPeople(t *testing.T) {
	t.Parallel()
	for _, tag := range Languages() {
		content, err := files.ReadFile(tag + ".json")
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(content), "MiB") {
			t.Errorf("%s: a size in MiB", tag)
		}
	}
}

// rewrite brings a file into its form.
func rewrite(t *testing.T, name string) {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	form, err := InForm(content)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if err := os.WriteFile(name, form, 0o644); err != nil {
		t.Fatal(err)
	}
}

// Every style file belongs to a language.
func TestStylesHaveLanguages(t *testing.T) {
	t.Parallel()
	list, err := files.ReadDir("style")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range list {
		if tag := strings.TrimSuffix(file.Name(), ".json"); !Supported(tag) {
			t.Errorf("style/%s is of no language", file.Name())
		}
	}
}
