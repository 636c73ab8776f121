package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/alecthomas/kong"
)

// print writes the result of a command: as JSON, or as a table for people.
func (p *program) print(result any) error {
	if p.table {
		return p.printTable(result)
	}
	encoder := json.NewEncoder(p.out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(result)
}

// printTable writes a list with one line for each of its objects, and any other result with one line for each member. What is nested is
// JSON in its cell; lists leave it out, unless it has a name.
func (p *program) printTable(result any) error {
	text, err := json.Marshal(result)
	if err != nil {
		return err
	}
	var value any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return err
	}
	if object, ok := value.(map[string]any); ok { // a list may be in an object, beside its total
		for _, member := range object {
			if list, ok := member.([]any); ok && len(object) <= 3 {
				value = list
			}
		}
	}
	w := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	switch value := value.(type) {
	case []any:
		writeRows(w, value)
	case map[string]any:
		for _, name := range columnsOf([]any{value}) {
			fmt.Fprintf(w, "%s\t%s\n", strings.ToUpper(name), cell(value[name]))
		}
	default:
		fmt.Fprintln(w, cell(value))
	}
	return w.Flush()
}

func writeRows(w *tabwriter.Writer, list []any) {
	columns := slices.DeleteFunc(columnsOf(list), func(name string) bool { return nested(list, name) })
	fmt.Fprintln(w, strings.ToUpper(strings.Join(columns, "\t")))
	for _, one := range list {
		row, ok := one.(map[string]any)
		if !ok {
			fmt.Fprintln(w, cell(one))
			continue
		}
		cells := make([]string, 0, len(columns))
		for _, name := range columns {
			cells = append(cells, cell(row[name]))
		}
		fmt.Fprintln(w, strings.Join(cells, "\t"))
	}
}

// columnsOf returns the names of members: what one knows an object by first, then by the alphabet.
func columnsOf(list []any) (names []string) {
	for _, one := range list {
		row, _ := one.(map[string]any)
		for name := range row {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	first := []string{"id", "slug", "login", "name", "email", "role", "state"}
	slices.SortFunc(names, func(a, b string) int {
		i, j := slices.Index(first, a), slices.Index(first, b)
		switch {
		case i >= 0 && j >= 0:
			return i - j
		case i >= 0:
			return -1
		case j >= 0:
			return 1
		}
		return strings.Compare(a, b)
	})
	return names
}

// nested reports whether a member of the objects in a list is an object without a name.
func nested(list []any, member string) bool {
	for _, one := range list {
		row, _ := one.(map[string]any)
		if object, ok := row[member].(map[string]any); ok && object["name"] == nil {
			return true
		}
	}
	return false
}

// cell returns a value in one line, of an object its name, without what a terminal would obey.
func cell(value any) string {
	switch value := value.(type) {
	case nil:
		return ""
	case string:
		return plainLine(value)
	case json.Number, bool:
		return fmt.Sprint(value)
	case map[string]any:
		if name, ok := value["name"].(string); ok {
			return plainLine(name)
		}
	}
	text, _ := json.Marshal(value) //nolint:errchkjson // it was JSON
	return string(text)
}

// plainLine replaces control characters.
func plainLine(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, text)
}

// completion prints what a shell needs to complete the command line.
type completion struct {
	Shell string `arg:"" enum:"bash,zsh" help:"bash or zsh."`
}

// Run implements the command.
func (c *completion) Run(p *program, app *kong.Kong) error {
	var b strings.Builder
	if c.Shell == "zsh" {
		b.WriteString("autoload -U +X bashcompinit && bashcompinit\n")
	}
	b.WriteString("_kalends() {\n  local path='' word\n  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n" +
		"    case $word in -*) ;; *) path=\"${path:+$path }$word\" ;; esac\n  done\n  case \"$path\" in\n")
	settings := []string{}
	for _, flag := range app.Model.Flags {
		settings = append(settings, "--"+flag.Name)
	}
	var walk func(node *kong.Node, path string)
	walk = func(node *kong.Node, path string) {
		words := slices.Clone(settings)
		for _, flag := range node.Flags {
			words = append(words, "--"+flag.Name)
		}
		for _, child := range node.Children {
			words = append(words, child.Name)
			walk(child, strings.TrimSpace(path+" "+child.Name))
		}
		fmt.Fprintf(&b, "    %q) COMPREPLY=($(compgen -W %q -- \"${COMP_WORDS[COMP_CWORD]}\")) ;;\n", path, strings.Join(words, " "))
	}
	walk(app.Model.Node, "")
	b.WriteString("  esac\n}\ncomplete -o default -F _kalends kalends\n")
	_, err := fmt.Fprint(p.out, b.String())
	return err
}
