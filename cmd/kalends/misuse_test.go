package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// misuses are calls with an invalid value, by what is called and the argument that is wrong. LONG is a text that is
// too long for anything; file and de.json are files, none is not there.
var misuses = map[string]map[string][]string{
	"serve":   {"sometimes": {"sometimes"}},
	"migrate": {"sometimes": {"sometimes"}},
	"zones":   {"Europe/Berlin": {"Europe/Berlin"}},
	"ready":   {"soon": {"soon"}},
	"doctor":  {"headache": {"headache"}},
	"version": {"2": {"2"}},
	"site create": {
		"<slug>":     {"No_Slug --name=X", "LONG --name=X"},
		"--name":     {"club", "club --name=", "club --name=LONG"},
		"--timezone": {"club --name=X --timezone=Mars/Olympus"},
		"--language": {"club --name=X --language=xx", "club --name=X --language="},
		"--domain":   {"club --name=X --domain=x_y", "club --name=X --domain=localhost", "club --name=X --domain=a.example.org,127.0.0.1"},
	},
	"site list": {
		"--search":   {"--search=LONG"},
		"--state":    {"--state=asleep"},
		"--plan":     {"--plan=LONG"},
		"--page":     {"--page=0", "--page=-1", "--page=two"},
		"--per-page": {"--per-page=0", "--per-page=many"},
	},
	"site show": {"twice": {"club twice"}},
	"site update": {
		"--new-slug":          {"club --new-slug=No_Slug", "club --new-slug="},
		"--name":              {"club --name=", "club --name=LONG"},
		"--timezone":          {"club --timezone=Mars/Olympus"},
		"--language":          {"club --language=xx"},
		"--domain":            {"club --domain=x_y", "club --domain=a.example.org --no-domains"},
		"--plan":              {"club --plan=", "club --plan=LONG"},
		"--limit":             {"club --limit=events=many", "club --limit=events=-1", "club --limit=colours=1", "club --limit=events", "club --limit=users=1 --plan-limits"},
		"--per-page":          {"club --per-page=0", "club --per-page=many"},
		"--currency-symbol":   {"club --currency-symbol=LONG"},
		"--currency-code":     {"club --currency-code=euro", "club --currency-code=eur"},
		"--currency-position": {"club --currency-position=above"},
		"--help":              {"club"},
	},
	"site requests": {
		"--span": {"--span=week"},
		"--from": {"--from=nonsense"},
		"--to":   {"--to=nonsense"},
		"<slug>": {"LONG"},
	},
	"site support": {
		"--from": {"--from=nonsense"},
		"--to":   {"--to=nonsense"},
	},
	"site audit": {
		"--who":    {"club --who=LONG"},
		"--kind":   {"club --kind=elephant"},
		"--action": {"club --action=dance"},
		"--id":     {"club --id=0", "club --id=first"},
		"--from":   {"club --from=nonsense"},
		"--to":     {"club --to=nonsense"},
	},
	"site suspend":       {"twice": {"club twice"}},
	"site resume":        {"twice": {"club twice"}},
	"site close":         {"twice": {"club twice"}},
	"site undelete":      {"twice": {"club twice"}},
	"site domain add":    {"<domain>": {"club nonsense", "club 127.0.0.1", "club *.example.org", "club club.localhost", "club LONG"}},
	"site domain list":   {"twice": {"club twice"}},
	"site domain check":  {"<domain>": {"club"}},
	"site domain remove": {"<domain>": {"club"}},
	"site delete":        {"--grace": {"club --yes --grace=999", "club --yes --grace=-1", "club --yes --grace=soon"}, "--yes": {"club"}},
	"site export":        {"<file>": {"club none/club.zip", "club .", "club file/club.zip"}},
	"site import": {
		"<file>":   {"none.zip", "."},
		"--slug":   {"file --slug=No_Slug", "file --slug="},
		"--name":   {"file --name=LONG", "file --name="},
		"--domain": {"file --domain=x_y"},
	},
	"backup": {"<dir>": {"file", "file/below"}},
	"restore": {
		"<dir>":    {"none", "file"},
		"--slug":   {". --site=club --slug=No_Slug", ". --site=club --slug="},
		"--name":   {". --site=club --name=LONG"},
		"--domain": {". --site=club --domain=x_y"},
		"--site":   {". --slug=other", ". --name=Other", ". --domain=a.example.org"},
	},
	"plan list": {"all": {"all"}},
	"plan show": {"twice": {"small twice"}},
	"plan set": {
		"<name>":                {"No_Name", "LONG"},
		"--events":              {"small --events=-1", "small --events=many", "small --events=99999999999999999999"},
		"--occurrences":         {"small --occurrences=-1"},
		"--users":               {"small --users=-1"},
		"--media-bytes":         {"small --media-bytes=-1"},
		"--requests-per-minute": {"small --requests-per-minute=0"},
		"--webhooks":            {"small --webhooks=-1"},
		"--letters":             {"small --letters=-1"},
	},
	"site top":     {"all": {"all"}},
	"site sign-in": {"twice": {"club twice"}},
	"plan delete":  {"twice": {"small twice"}},
	"user password": {
		"<user>":     {"--site=club"},
		"--site":     {"ann"},
		"--password": {"ann --site=club --password=short", "ann --site=club --password="},
	},
	"user codes-off": {"--site": {"ann"}, "<user>": {"--site=club"}},
	"user create": {
		"<login>": {"ann! --site=club --email=a@example.org --role=editor"},
		"--email": {"ann --site=club --email=nobody --role=editor"},
		"--role":  {"ann --site=club --email=a@example.org --role=king"},
		"--password": {"ann --site=club --email=a@example.org --role=editor --password=short", "ann --site=club --email=a@example.org --role=editor --password=",
			"anna-of-the-club --site=club --email=a@example.org --role=editor --password=anna-of-the-club"},
		"--site": {"ann --email=a@example.org --role=editor"},
	},
	"user list":    {"--search": {"--site=club --search=LONG"}, "--role": {"--site=club --role=king"}},
	"user show":    {"--site": {"ann"}, "<user>": {"--site=club"}},
	"user role":    {"<role>": {"ann king --site=club"}, "<user>": {"--site=club"}, "--site": {"ann editor"}},
	"user delete":  {"<user>": {"--site=club"}, "--site": {"ann"}},
	"user export":  {"<email>": {"nobody --site=club"}, "--site": {"ann@example.org"}},
	"user erase":   {"<email>": {"nobody --site=club"}, "--site": {"ann@example.org"}},
	"key list":     {"--search": {"--site=club --search=LONG"}},
	"key revoke":   {"<id>": {"first --site=club"}},
	"token create": {"<name>": {"LONG"}},
	"token list":   {"all": {"all"}},
	"completion":   {"<shell>": {"powershell"}},
	"token revoke": {"<id>": {"first"}},
	"import file":  {"<file>": {"none.csv --site=club", ". --site=club"}},
	"export csv": {
		"<file>":    {"none/events.csv --site=club", ". --site=club"},
		"--address": {"- --site=club --address=nonsense", "- --site=club --address=ftp://example.org"},
	},
	"i18n check": {
		"<files>": {"none.json", "de none.json", "--sentences none.json", "--write . ", "file"},
		"--style": {"de.json", "--write de.json --style=none", "--style=. de.json"},
	},
}

// takesAnything are arguments without invalid values, because they name what is looked up.
func takesAnything(command, argument, help string) bool {
	return slices.Contains([]string{"The site.", "The plan.", "The domain."}, help) || command+argument == "restore--site"
}

// TestMisuse calls every command with an invalid value of every argument. It exits with 2, says which argument is
// wrong, and does nothing: it finds out before it asks the database, which does not answer here, and writes no file.
func TestMisuse(t *testing.T) {
	data, dir := filepath.Join(t.TempDir(), "data"), t.TempDir()
	t.Chdir(dir)
	env := map[string]string{"DATABASE_URL": "postgres://nobody@127.0.0.1:1/none", "KALENDS_DATA_DIR": data}
	for name, content := range map[string]string{"file": "text\n", "de.json": `{"b": "B", "a": "A"}`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	before := contents(t, dir)
	calls := 0
	call := func(line, argument string) {
		words := strings.Fields(strings.ReplaceAll(line, "LONG", strings.Repeat("x", 2001)))
		var out, errs bytes.Buffer
		err := run(t.Context(), words, func(name string) string { return env[name] }, &out, &errs)
		if code := exitCode(err); code != exitUsage || out.Len() > 0 || !strings.Contains(errs.String()+readable(err, nil), argument) {
			t.Errorf("kalends %s: %d, want %d and %s\n%s\n%s%v", line, code, exitUsage, argument, out.String(), errs.String(), err)
		}
		calls++
	}
	for command, node := range everyCommand(t) {
		if !node.Leaf() {
			call(command+" --colour=red", "--colour")
			continue
		}
		wrong := misuses[command]
		if len(wrong) == 0 {
			t.Errorf("no misuse of kalends %s", command)
		}
		for argument, lines := range wrong {
			for _, line := range lines {
				call(command+" "+line, argument)
			}
		}
		for _, argument := range node.Positional {
			if name := "<" + argument.Name + ">"; wrong[name] == nil && !takesAnything(command, name, argument.Help) {
				t.Errorf("no misuse of %s in kalends %s", name, command)
			}
		}
		for _, flag := range node.Flags {
			switch name := "--" + flag.Name; {
			case flag.IsBool() && flag.Name != "help":
				call(command+" "+name+"=maybe", name)
			case wrong[name] == nil && flag.Name != "help" && !takesAnything(command, name, flag.Help):
				t.Errorf("no misuse of %s in kalends %s", name, command)
			}
		}
	}
	if after := contents(t, dir); !maps.Equal(after, before) {
		t.Errorf("there are files %v, and were %v", after, before)
	}
	if _, err := os.Stat(data); err == nil {
		t.Errorf("the data folder was created by one of %d calls", calls)
	}
}

// contents returns the files in a folder.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, entry := range list {
		content, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		found[entry.Name()] = string(content)
	}
	return found
}
