package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v3"

	"github.com/kalends/kalends/media"
)

// node is one place of a YAML document; what isn't there is nil.
type node map[string]any

func (n node) at(path ...string) any {
	var v any = map[string]any(n)
	for _, name := range path {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}

func documents(t testing.TB, file string) (all []node) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", file))
	if err != nil {
		t.Fatal(err)
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var n map[string]any
		switch err := decoder.Decode(&n); {
		case errors.Is(err, io.EOF):
			return all
		case err != nil:
			t.Fatalf("%s: %v", file, err)
		}
		all = append(all, n)
	}
}

// settings are the names of all settings with what is said about them.
func settings() map[string]string {
	all := map[string]string{}
	for field := range reflect.TypeFor[Config]().Fields() {
		if name := field.Tag.Get("config"); name != "" {
			all[name] = field.Tag.Get("default")
		}
	}
	return all
}

// isSetting fails the test unless the program reads a variable.
func isSetting(t testing.TB, file, name string) {
	t.Helper()
	if _, ok := settings()[name]; !ok {
		t.Errorf("%s sets %s, which nothing reads", file, name)
	}
}

// accepts fails the test unless the program's command line takes these words.
func accepts(t testing.TB, file string, words ...string) {
	t.Helper()
	var c commands
	parser, err := kong.New(&c, kong.Exit(func(int) {}), kong.Writers(io.Discard, io.Discard))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(words); err != nil {
		t.Errorf("%s runs kalends %v: %v", file, words, err)
	}
}

func words(v any) (all []string) {
	list, _ := v.([]any)
	for _, word := range list {
		text, _ := word.(string)
		all = append(all, text)
	}
	return all
}

func TestComposeFile(t *testing.T) {
	t.Parallel()
	const file = "docker-compose.yml"
	compose := documents(t, file)[0]
	for _, service := range []string{"kalends", "postgres", "redis"} {
		if compose.at("services", service, "healthcheck", "test") == nil || compose.at("services", service, "profiles") != nil {
			t.Errorf("%s has no health check, or doesn't start", service)
		}
	}
	environment, _ := compose.at("services", "kalends", "environment").(map[string]any)
	for name := range environment {
		isSetting(t, file, name)
	}
	for name := range settings() {
		if _, there := environment[name]; !there {
			t.Errorf("%s doesn't pass %s on", file, name)
		}
	}
	probe := words(compose.at("services", "kalends", "healthcheck", "test"))
	if len(probe) < 3 || probe[0] != "CMD" || probe[1] != "/kalends" {
		t.Fatalf("probe %v: the image has no shell", probe)
	}
	accepts(t, file, probe[2:]...)
	if ports := words(compose.at("services", "kalends", "ports")); len(ports) != 1 || !strings.HasPrefix(ports[0], "127.0.0.1:") {
		t.Errorf("ports %v are for others too", ports)
	}
	if profiles := words(compose.at("services", "caddy", "profiles")); len(profiles) != 1 || profiles[0] != "tls" {
		t.Errorf("profiles %v", profiles)
	}
	volumes, _ := compose.at("volumes").(map[string]any)
	for name, service := range compose.at("services").(map[string]any) {
		mounts, _ := service.(map[string]any)
		for _, mount := range words(mounts["volumes"]) {
			source, _, _ := strings.Cut(mount, ":")
			_, named := volumes[source]
			if _, err := os.Stat(filepath.Join("..", "..", source)); !named && err != nil {
				t.Errorf("%s mounts %s, which isn't there", name, source)
			}
		}
	}
}

// pods returns the containers of everything that runs any, with their kind.
func pods(t testing.TB, file string) (all map[string]node) {
	t.Helper()
	all = map[string]node{}
	for _, d := range documents(t, file) {
		kind, _ := d["kind"].(string)
		at := map[string][]string{"Deployment": {"spec", "template", "spec"}, "Job": {"spec", "template", "spec"},
			"CronJob": {"spec", "jobTemplate", "spec", "template", "spec"}}[kind]
		if at == nil {
			continue
		}
		spec, _ := d.at(at...).(map[string]any)
		list, _ := spec["containers"].([]any)
		if len(list) != 1 {
			t.Fatalf("%s: %d containers", file, len(list))
		}
		all[kind] = list[0].(map[string]any)
	}
	return all
}

func TestKubernetesFiles(t *testing.T) {
	t.Parallel()
	const dir = "deploy/kubernetes/"
	for _, file := range []string{"deployment.yaml", "migrate.yaml", "backup.yaml"} {
		found := pods(t, dir+file)
		if len(found) == 0 {
			t.Errorf("%s runs nothing", file)
		}
		for kind, c := range found {
			if c.at("image") != "kalends" || c.at("securityContext", "readOnlyRootFilesystem") != true {
				t.Errorf("%s of %s: %v", kind, file, c)
			}
			accepts(t, file, words(c["args"])...)
		}
	}
	values := map[string]string{}
	for file, field := range map[string]string{"configmap.yaml": "data", "secret.example.yaml": "stringData"} {
		data, _ := documents(t, dir+file)[0].at(field).(map[string]any)
		for name, value := range data {
			isSetting(t, file, name)
			values[name], _ = value.(string)
		}
	}
	deployment := documents(t, dir+"deployment.yaml")[0]
	c := pods(t, dir+"deployment.yaml")["Deployment"]
	ports := map[string]int{}
	for _, p := range c["ports"].([]any) {
		port := node(p.(map[string]any))
		ports[port["name"].(string)], _ = port["containerPort"].(int)
	}
	if want := map[string]int{"http": 8080, "metrics": 9090}; !reflect.DeepEqual(ports, want) ||
		!strings.HasSuffix(values["KALENDS_ADDR"], ":8080") || !strings.HasSuffix(values["KALENDS_METRICS_ADDR"], ":9090") {
		t.Errorf("ports %v, settings %v", ports, values)
	}
	for probe, path := range map[string]string{"startupProbe": "/healthz", "livenessProbe": "/healthz", "readinessProbe": "/readyz"} {
		if c.at(probe, "httpGet", "path") != path || c.at(probe, "httpGet", "port") != "http" {
			t.Errorf("%s: %v", probe, c[probe])
		}
	}
	if n, _ := deployment.at("spec", "replicas").(int); n < 2 {
		t.Errorf("%d replicas", n)
	}
	if _, err := media.ParseS3(values["KALENDS_MEDIA_URL"]); err != nil {
		t.Errorf("several nodes without a bucket for their pictures: %v", err)
	}
	drain, err := time.ParseDuration(values["KALENDS_DRAIN"])
	period, _ := c.at("readinessProbe", "periodSeconds").(int)
	grace, _ := deployment.at("spec", "template", "spec", "terminationGracePeriodSeconds").(int)
	if err != nil || drain < 2*time.Duration(period)*time.Second || time.Duration(grace)*time.Second < drain+stopping {
		t.Errorf("drain %s of a grace of %d s, asked every %d s: %v", drain, grace, period, err)
	}
}

func TestSystemdUnit(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../deploy/kalends.service")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		switch name {
		case "ExecStart":
			accepts(t, "kalends.service", strings.Fields(value)[1:]...)
		case "Environment":
			setting, _, _ := strings.Cut(value, "=")
			isSetting(t, "kalends.service", setting)
		}
	}
}

// TestCaddyfile compares what Caddy asks with what the program answers.
func TestCaddyfile(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../deploy/Caddyfile")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/platform/v1/domains/ask", "health_uri /readyz"} {
		if !strings.Contains(string(text), path) {
			t.Errorf("no %s", path)
		}
	}
}

// TestSettingsAreDocumented compares the table of settings with the program.
func TestSettingsAreDocumented(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]string{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([A-Z_]+)` \\|([^|]*)\\|").FindAllStringSubmatch(string(text), -1) {
		documented[m[1]] = strings.Trim(m[2], "` ")
	}
	for name, value := range settings() {
		if got, ok := documented[name]; !ok || got != value {
			t.Errorf("%s is %q in docs/operations.md (%v) and %q here", name, got, ok, value)
		}
		delete(documented, name)
	}
	for name := range documented {
		t.Errorf("%s is documented and nothing reads it", name)
	}
}

// TestFlagsAreDocumented compares the flags of the README with those that the program
// takes.
func TestFlagsAreDocumented(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	parser, err := kong.New(&commands{})
	if err != nil {
		t.Fatal(err)
	}
	flags := map[string]string{}
	for _, flag := range parser.Model.Flags {
		flags[flag.Tag.Get("config")] = "--" + flag.Name
	}
	rows := regexp.MustCompile("(?m)^\\| `([A-Z_]+)` \\| `(--[a-z-]+)` \\|").FindAllStringSubmatch(string(text), -1)
	if len(rows) < 10 {
		t.Fatalf("%d flags in the README", len(rows))
	}
	for _, row := range rows {
		if flags[row[1]] != row[2] {
			t.Errorf("%s is %s in the README and %q here", row[1], row[2], flags[row[1]])
		}
	}
}

// TestImageHasVersion: the image is built from all that is committed, for a checkout
// that lacks some of it has no version of its own.
func TestImageHasVersion(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", ".dockerignore"))
	if err != nil {
		t.Fatal(err)
	}
	for pattern := range strings.Lines(string(text)) {
		pattern = strings.TrimSpace(pattern)
		if pattern == "" || strings.HasPrefix(pattern, "#") {
			continue
		}
		if pattern == ".git" {
			t.Error("the image is built without .git")
		}
		files, err := exec.Command("git", "-C", filepath.Join("..", ".."), "ls-files", ":(glob)"+pattern, ":(glob)"+pattern+"/**").Output()
		if err != nil {
			t.Skip("this is no checkout")
		}
		if len(files) > 0 {
			t.Errorf("%s keeps committed files out of the image's build, such as %s", pattern, strings.SplitN(string(files), "\n", 2)[0])
		}
	}
}
