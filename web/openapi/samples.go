package openapi

import (
	"net/url"
	"strings"
)

// Sample is a sample request in a programming language.
type Sample struct{ Name, Code string }

// key is the placeholder for a client's API key.
const key = "YOUR_KEY"

// sampleValues are sample values of path arguments.
var sampleValues = map[string]string{"id": "42", "slug": "spring-concert", "revision": "7", "key": "7", "file": "photo.jpg"}

// Address returns the address of an operation with a sample value for each path argument.
func (d *Document) Address(o *Operation) string {
	path := o.Path
	for _, a := range o.Arguments {
		if a.In == "path" {
			value := sampleValues[a.Name]
			if value == "" {
				value = strings.ToUpper(a.Name)
			}
			path = strings.ReplaceAll(path, "{"+a.Name+"}", url.PathEscape(value))
		}
	}
	return d.Server + path
}

// Samples returns the request of an operation in several languages.
func (d *Document) Samples(o *Operation) []Sample {
	r := request{method: o.Method, address: d.Address(o), body: o.Request, known: !o.Open}
	return []Sample{{"curl", r.curl()}, {"JavaScript", r.javaScript()}, {"Python", r.python()}, {"Go", r.golang()}, {"PHP", r.php()}}
}

// request is the request that samples show.
type request struct {
	method, address, body string
	known                 bool // it needs credentials
}

func (r *request) curl() string {
	var b strings.Builder
	b.WriteString("curl")
	if r.method != "GET" {
		b.WriteString(" -X " + r.method)
	}
	b.WriteString(" '" + r.address + "'")
	if r.known {
		b.WriteString(" \\\n  -H 'Authorization: Bearer " + key + "'")
	}
	if r.body != "" {
		b.WriteString(" \\\n  -H 'Content-Type: application/json' \\\n  -d '" + strings.ReplaceAll(r.body, "'", `'\''`) + "'")
	}
	return b.String()
}

func (r *request) javaScript() string {
	var options []string
	if r.method != "GET" {
		options = append(options, "method: '"+r.method+"'")
	}
	if headers := r.headers("'", ": ", ", "); headers != "" {
		options = append(options, "headers: { "+headers+" }")
	}
	if r.body != "" {
		options = append(options, "body: JSON.stringify("+indent(r.body, "  ")+")")
	}
	second := ""
	if len(options) > 0 {
		second = ", {\n  " + strings.Join(options, ",\n  ") + ",\n}"
	}
	return "const answer = await fetch('" + r.address + "'" + second + ")\nconsole.log(answer.status, await answer.json())"
}

func (r *request) python() string {
	parts := []string{"'" + r.method + "'", "'" + r.address + "'"}
	if headers := r.headers("'", ": ", ", "); headers != "" {
		parts = append(parts, "headers={"+headers+"}")
	}
	if r.body != "" {
		parts = append(parts, "data='''"+strings.ReplaceAll(r.body, `\`, `\\`)+"'''.encode()")
	}
	return "import requests\n\nanswer = requests.request(" + strings.Join(parts, ", ") + ")\nprint(answer.status_code, answer.json())"
}

func (r *request) golang() string {
	body := "nil"
	if r.body != "" {
		body = "strings.NewReader(`" + r.body + "`)"
	}
	lines := []string{"request, err := http.NewRequest(\"" + r.method + "\", \"" + r.address + "\", " + body + ")",
		"if err != nil {", "\tlog.Fatal(err)", "}"}
	for _, h := range r.header() {
		lines = append(lines, "request.Header.Set(\""+h[0]+"\", \""+h[1]+"\")")
	}
	return strings.Join(append(lines, "answer, err := http.DefaultClient.Do(request)", "if err != nil {", "\tlog.Fatal(err)", "}",
		"defer answer.Body.Close()", "io.Copy(os.Stdout, answer.Body)"), "\n")
}

func (r *request) php() string {
	options := []string{"CURLOPT_RETURNTRANSFER => true"}
	if r.method != "GET" {
		options = append(options, "CURLOPT_CUSTOMREQUEST => '"+r.method+"'")
	}
	var headers []string
	for _, h := range r.header() {
		headers = append(headers, "'"+h[0]+": "+h[1]+"'")
	}
	if len(headers) > 0 {
		options = append(options, "CURLOPT_HTTPHEADER => ["+strings.Join(headers, ", ")+"]")
	}
	if r.body != "" {
		options = append(options, "CURLOPT_POSTFIELDS => <<<'JSON'\n"+indent("\n"+r.body+"\nJSON", "    ")[1:])
	}
	return "$request = curl_init('" + r.address + "');\ncurl_setopt_array($request, [\n    " + strings.Join(options, ",\n    ") +
		",\n]);\necho curl_exec($request);"
}

// header returns the names and values of the request headers.
func (r *request) header() (list [][2]string) {
	if r.known {
		list = append(list, [2]string{"Authorization", "Bearer " + key})
	}
	if r.body != "" {
		list = append(list, [2]string{"Content-Type", "application/json"})
	}
	return list
}

// headers formats the headers in quotes.
func (r *request) headers(quote, colon, comma string) string {
	var list []string
	for _, h := range r.header() {
		list = append(list, quote+h[0]+quote+colon+quote+h[1]+quote)
	}
	return strings.Join(list, comma)
}

// indent indents all lines but the first.
func indent(text, by string) string { return strings.ReplaceAll(text, "\n", "\n"+by) }
