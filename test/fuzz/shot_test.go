package fuzz

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/kalends/kalends/test/kit"

	"github.com/kalends/kalends/i18n"
)

// shot is one request, down to its bytes.
type shot struct {
	target  *target
	method  string
	address string
	headers [][2]string
	body    []byte
	chunked bool
}

// bytes is the request as it is sent.
func (s *shot) bytes() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\n", s.method, s.address)
	for _, h := range s.headers {
		fmt.Fprintf(&b, "%s: %s\r\n", h[0], h[1])
	}
	switch {
	case s.chunked:
		fmt.Fprintf(&b, "Transfer-Encoding: chunked\r\n\r\n")
		for part := range slices.Chunk(s.body, 1000) {
			fmt.Fprintf(&b, "%x\r\n%s\r\n", len(part), part)
		}
		b.WriteString("0\r\n\r\n")
	case len(s.body) > 0:
		fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(s.body), s.body)
	default:
		b.WriteString("\r\n")
	}
	return b.Bytes()
}

// one returns one of some.
func one[T any](f *fuzzer, list ...T) T { return list[f.r.IntN(len(list))] }

// rare reports true once in n times.
func (f *fuzzer) rare(n int) bool { return f.r.IntN(n) == 0 }

// shot makes a request.
func (f *fuzzer) shot() *shot {
	t := &f.targets[f.r.IntN(len(f.targets))]
	for (strings.HasSuffix(t.pattern, "/logout") || t.room == platformRoom && t.method != http.MethodGet) && !f.rare(5) {
		t = &f.targets[f.r.IntN(len(f.targets))] // what ends all seldom comes
	}
	s := &shot{target: t, method: t.method}
	if f.rare(12) {
		s.method = one(f, "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "BREW", "get")
	}
	who := f.caller(t)
	host := "localhost"
	if f.rare(40) {
		host = one(f, "demo.localhost", "two.localhost", "nowhere.localhost", "xn--a.localhost", "LOCALHOST:80", "[::1]", "localhost.", "a_b")
	}
	s.headers = append(s.headers, [2]string{"Host", host})
	s.headers = append(s.headers, who.Headers...)
	values := f.values(t)
	if who.Csrf != "" && s.method == http.MethodPost && !f.rare(20) {
		values = append(values, pair{"csrf", who.Csrf})
	}
	query := f.encode(s, values)
	s.address = f.path(t)
	if len(query) > 0 {
		s.address += "?" + query
	}
	f.decorate(s)
	return s
}

// caller is who asks: mostly one who belongs there.
func (f *fuzzer) caller(t *target) kit.Caller {
	for range 50 {
		c := f.callers[f.r.IntN(len(f.callers))]
		if slices.Contains(c.Rooms, t.room) || c.Rooms == nil && (t.room == publicRoom || f.rare(3)) || f.rare(40) {
			return c
		}
	}
	return f.callers[0]
}

// decorate adds the headers that no route needs.
func (f *fuzzer) decorate(s *shot) {
	add := func(n int, name string, values ...string) {
		if f.rare(n) {
			s.headers = append(s.headers, [2]string{name, one(f, values...)})
		}
	}
	wrong := strings.NewReplacer("\r", "", "\n", "", "\x00", "").Replace(f.hostile())
	if len(wrong) > 4000 {
		wrong = wrong[:4000]
	}
	tag := `"` + one(f, "1", "2", "zz", "-1", "99999999999999999999") + "-" + one(f, "a", "1", "") + `"`
	add(8, "Accept-Language", append(i18n.Languages(), "*", "de;q=x", "xx-YY-ZZ", wrong)...)
	add(12, "If-Match", tag, "*", "W/"+tag, wrong, tag+", "+tag)
	add(12, "If-None-Match", tag, "*", "W/"+tag, wrong)
	add(8, "Accept-Encoding", "gzip", "br", "gzip;q=0", "br;q=x, gzip", wrong)
	add(10, "Accept", "text/html", "application/json", "*/*", wrong)
	add(15, "Cache-Control", "no-cache", "no-store", wrong)
	add(20, "Range", "bytes=0-1", "bytes=5-1", "bytes=-", wrong)
	add(30, "Origin", "http://localhost", "null", "http://evil.example", wrong)
	add(30, "X-HTTP-Method-Override", "PUT", "DELETE", "PATCH", "GET", "BREW", wrong)
	add(30, "Kalends-Part", "1", wrong)
	add(30, "X-Forwarded-For", "1.2.3.4", wrong)
	add(30, "X-Forwarded-Proto", "https", wrong)
	add(40, "X-Request-Id", "1", wrong)
	add(30, "Cookie", "kalends="+url.QueryEscape(wrong), "kalends-language=de", "kalends-said="+url.QueryEscape(wrong))
	add(40, "Content-Disposition", `attachment; filename="a.png"`, wrong)
	add(40, "Sec-Fetch-Site", "same-origin", "cross-site", wrong)
}

// otherPart is a part of a path that nothing is known of, as a token.
var otherPart = regexp.MustCompile(`\{[^}]+\}`)

// path fills a pattern, and sometimes spells it in another way.
func (f *fuzzer) path(t *target) string {
	pattern := t.pattern
	id, slug := one(f, f.ids...), one(f, f.slugs...)
	if list := f.items[t.resource]; len(list) > 0 && !f.rare(6) {
		of := one(f, list[max(0, len(list)-5):]...)
		id, slug = of.id, of.slug
	}
	if f.rare(6) {
		id = one(f, numbers...)
	}
	if strings.HasPrefix(pattern, "/platform/") || strings.HasPrefix(pattern, "/admin/provider") {
		slug = one(f, "two", "two", "two", "unlimited", "new-one")
	}
	if f.rare(8) {
		slug = f.hostile()
		if len(slug) > 2000 {
			slug = slug[:2000]
		}
	}
	day := one(f, "2030-01", "2030-01-01", "2030-13", "0000-00", "9999-12-31", "99999-01", url.PathEscape(f.hostile()))
	path := strings.NewReplacer("{id}", id, "{slug}", url.PathEscape(slug), "{day}", day[:min(len(day), 500)],
		"{domain}", one(f, "a.example", "%00", "xn--", "a..b"), "{name}", url.PathEscape(slug)).Replace(pattern)
	path = otherPart.ReplaceAllStringFunc(path, func(string) string {
		if text := f.hostile(); f.rare(3) {
			return url.PathEscape(text[:min(len(text), 500)])
		}
		return url.PathEscape(slug)
	})
	if f.rare(15) {
		path = one(f, "/de", "/en", "/ar", "/xx", "/DE") + path
	}
	if f.rare(10) {
		path = strings.Replace(path, "/calendar/events/v1", "/wp-json/tribe/events/v1", 1)
	}
	if f.rare(15) {
		path += "/"
	}
	if f.rare(60) {
		path = one(f, path+"/%00", path+"%2f..", strings.Replace(path, "/", "//", 1), path+";a=b", path+"/.", path+"%")
	}
	return path
}

// pair is a field that is sent.
type pair struct {
	name  string
	value any
}

// values chooses fields of a route and what they say.
func (f *fuzzer) values(t *target) []pair {
	var list []pair
	most := 1 + f.r.IntN(1+len(t.fields))
	wrong := one(f, 1, 2, 4, 8, 30, 1000) // one in so many
	for range most {
		if len(t.fields) == 0 {
			break
		}
		a := &t.fields[f.r.IntN(len(t.fields))]
		list = append(list, pair{a.name, f.value(a, wrong)})
	}
	for i := range t.fields {
		if a := &t.fields[i]; a.field != nil && a.field.Required && !f.rare(8) {
			list = append(list, pair{a.name, f.right(a.field)})
		}
	}
	if f.rare(6) {
		name := one(f, "_fields", "_method", "rest_route", "_locale", "search", "page", "q", "id", "ids", "open", "copy", "to", "do", "sure", "when",
			"strict", "context", f.hostile())
		list = append(list, pair{name, one(f, any(f.hostile()), any(one(f, numbers...)), any("id,events.id"))})
	}
	return list
}

// encode writes fields: as the query for what reads, else as a body of some kind.
func (f *fuzzer) encode(s *shot, values []pair) (query string) {
	reads := s.method == http.MethodGet || s.method == http.MethodHead || s.method == http.MethodDelete || s.method == http.MethodOptions
	if reads && !f.rare(20) {
		return form(values)
	}
	if f.rare(10) {
		cut := f.r.IntN(len(values) + 1)
		query, values = form(values[:cut]), values[cut:]
	}
	page := s.target.room == adminRoom || s.target.room == consoleRoom || s.target.room == publicRoom
	kind := one(f, "application/json", "application/x-www-form-urlencoded", "multipart/form-data")
	if page && !f.rare(10) {
		kind = one(f, "application/x-www-form-urlencoded", "application/x-www-form-urlencoded", "multipart/form-data")
	}
	switch kind {
	case "application/json":
		s.body = jsonOf(values)
	case "multipart/form-data":
		s.body, kind = f.parts(values)
	default:
		s.body = []byte(form(values))
	}
	if f.rare(20) {
		kind = one(f, "text/xml", "text/plain", "application/json; charset=utf-16", "application/vnd.a+json", "multipart/form-data", ";", "a/b; c",
			"application/zip", "application/octet-stream", "multipart/form-data; boundary=")
	}
	if f.rare(40) && len(s.body) > 0 {
		s.body = s.body[:f.r.IntN(len(s.body))]
	}
	if f.rare(40) && len(s.body) > 0 {
		s.body[f.r.IntN(len(s.body))] = byte(f.r.IntN(256))
	}
	if f.rare(60) {
		s.headers = append(s.headers, [2]string{"Content-Encoding", one(f, "gzip", "br", "identity", "a")})
	}
	s.headers = append(s.headers, [2]string{"Content-Type", kind})
	s.chunked = f.rare(15)
	return query
}

// form writes fields as a query or a form.
func form(values []pair) string {
	var b strings.Builder
	for _, p := range values {
		flat(p.name, p.value, func(name, text string) {
			if b.Len() > 0 {
				b.WriteByte('&')
			}
			b.WriteString(url.QueryEscape(name) + "=" + url.QueryEscape(text))
		})
	}
	return b.String()
}

// flat takes lists and objects apart, with names in brackets.
func flat(name string, value any, add func(name, text string)) {
	switch v := value.(type) {
	case nil:
		add(name, "")
	case []any:
		for i, entry := range v {
			flat(fmt.Sprintf("%s[%d]", name, i), entry, add)
		}
	case map[string]any:
		for key, entry := range v {
			flat(name+"["+key+"]", entry, add)
		}
	default:
		add(name, fmt.Sprint(v))
	}
}

// jsonOf writes fields as JSON.
func jsonOf(values []pair) []byte {
	members := map[string]any{}
	for _, p := range values {
		members[p.name] = p.value
	}
	b, err := json.Marshal(members)
	if err != nil {
		return []byte(err.Error())
	}
	return b
}

// parts writes fields as a form of parts, sometimes with files.
func (f *fuzzer) parts(values []pair) ([]byte, string) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, p := range values {
		flat(p.name, p.value, func(name, text string) { _ = w.WriteField(name, text) })
	}
	if f.rare(2) {
		content := one(f, kit.Picture(8, 8), kit.Picture(300, 20), []byte("GIF89a"), []byte{}, []byte("\xff\xd8\xff\xe0"), []byte("<svg/>"))
		if part, err := w.CreateFormFile(one(f, "file", "files", "image"), one(f, "a.png", "a\x00.png", "../a.jpg", "", strings.Repeat("é", 300))); err == nil {
			_, _ = part.Write(content)
		}
	}
	_ = w.Close()
	return b.Bytes(), w.FormDataContentType()
}
