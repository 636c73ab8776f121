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
var sampleValues = map[string]string{
	"id":       "42",
	"slug":     "spring-concert",
	"revision": "7",
	"delivery": "7",
	"key":      "7",
	"file":     "photo.jpg",
	"token":    "YOUR_TOKEN",
}

// sample returns a sample value of an argument.
func (a *Argument) sample() string {
	if value := sampleValues[a.Name]; value != "" {
		return value
	}
	return strings.ToUpper(a.Name)
}

// Address returns the address of an operation with sample values for its required arguments.
func (d *Document) Address(o *Operation) string {
	path, query := o.Path, url.Values{}
	for i := range o.Arguments {
		switch a := &o.Arguments[i]; {
		case a.In == "path":
			path = strings.ReplaceAll(path, "{"+a.Name+"}", url.PathEscape(a.sample()))
		case a.In == "query" && a.Required:
			query.Set(a.Name, a.sample())
		}
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return d.Server + path
}

// Samples returns the request of an operation in several languages.
func (d *Document) Samples(o *Operation) []Sample {
	r := request{method: o.Method, address: d.Address(o), body: o.Request, text: o.Returns != jsonType, known: !o.Open}
	for i := range o.Fields {
		if o.Fields[i].Binary {
			r.part, r.file = o.Fields[i].Name, o.Fields[i].sample()
		}
	}
	return []Sample{{"curl", r.curl()}, {"JavaScript", r.javaScript()}, {"Python", r.python()}, {"Go", r.golang()}, {"PHP", r.php()}}
}

// request is the request that samples show.
type request struct {
	method, address, body string
	part, file            string // field of the form with the file, and name of the file; "" for none
	text                  bool   // the response is text, not JSON
	known                 bool   // it needs credentials
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
	switch {
	case r.part != "":
		b.WriteString(" \\\n  -F '" + r.part + "=@" + r.file + "'")
	case r.body != "":
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
	before := ""
	switch {
	case r.part != "":
		before = "const form = new FormData()\nform.append('" + r.part + "', file, '" + r.file + "') // file is a Blob or File\n"
		options = append(options, "body: form")
	case r.body != "":
		options = append(options, "body: JSON.stringify("+indent(r.body, "  ")+")")
	}
	second := ""
	if len(options) > 0 {
		second = ", {\n  " + strings.Join(options, ",\n  ") + ",\n}"
	}
	read := "json()"
	if r.text {
		read = "text()"
	}
	return before + "const answer = await fetch('" + r.address + "'" + second + ")\nconsole.log(answer.status, await answer." + read + ")"
}

func (r *request) python() string {
	parts := []string{"'" + r.method + "'", "'" + r.address + "'"}
	if headers := r.headers("'", ": ", ", "); headers != "" {
		parts = append(parts, "headers={"+headers+"}")
	}
	switch {
	case r.part != "":
		parts = append(parts, "files={'"+r.part+"': open('"+r.file+"', 'rb')}")
	case r.body != "":
		parts = append(parts, "data='''"+strings.ReplaceAll(r.body, `\`, `\\`)+"'''.encode()")
	}
	read := "json()"
	if r.text {
		read = "text"
	}
	return "import requests\n\nanswer = requests.request(" + strings.Join(parts, ", ") + ")\nprint(answer.status_code, answer." + read + ")"
}

func (r *request) golang() string {
	body, lines := "nil", []string(nil)
	switch {
	case r.part != "":
		body, lines = "&body", r.goForm()
	case r.body != "":
		body = "strings.NewReader(`" + r.body + "`)"
	}
	lines = append(lines, "request, err := http.NewRequest(\""+r.method+"\", \""+r.address+"\", "+body+")",
		"if err != nil {", "\tlog.Fatal(err)", "}")
	for _, h := range r.header() {
		lines = append(lines, "request.Header.Set(\""+h[0]+"\", \""+h[1]+"\")")
	}
	if r.part != "" {
		lines = append(lines, "request.Header.Set(\"Content-Type\", form.FormDataContentType())")
	}
	return strings.Join(append(lines, "answer, err := http.DefaultClient.Do(request)", "if err != nil {", "\tlog.Fatal(err)", "}",
		"defer answer.Body.Close()", "io.Copy(os.Stdout, answer.Body)"), "\n")
}

// goForm returns the lines of Go that write the file into a form.
func (r *request) goForm() []string {
	check := []string{"if err != nil {", "\tlog.Fatal(err)", "}"}
	lines := append([]string{"file, err := os.Open(\"" + r.file + "\")"}, check...)
	lines = append(lines, "defer file.Close()", "var body bytes.Buffer", "form := multipart.NewWriter(&body)",
		"part, err := form.CreateFormFile(\""+r.part+"\", \""+r.file+"\")")
	return append(append(lines, check...), "io.Copy(part, file)", "form.Close()")
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
	switch {
	case r.part != "":
		options = append(options, "CURLOPT_POSTFIELDS => ['"+r.part+"' => new CURLFile('"+r.file+"')]")
	case r.body != "":
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
	if r.body != "" { // for a form, the program sets the type and the boundary
		list = append(list, [2]string{"Content-Type", jsonType})
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
