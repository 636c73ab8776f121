package args_test

import (
	"strings"
	"testing"

	"github.com/kalends/kalends/internal/args"
)

func TestAddresses(t *testing.T) {
	t.Parallel()
	check(t, []refusal{
		{"url", "http://example.org/a?b=c#d", ""}, {"url", "HTTPS://example.org", ""}, {"url", "ftp://x/", ""}, {"url", "mailto:a@b", ""},
		{"url", "http://localhost:8080/%20", ""}, {"url", "", ""}, {"url", "example.org", "url"}, {"url", "//example.org", "url"},
		{"url", "javascript:alert(1)", "url"}, {"url", "data:text/html,x", "url"}, {"url", "http://", "url"}, {"url", "http:///x", "url"},
		{"url", "http://exämple.org", "url"}, {"url", "http://a b", "url"}, {"url", "http://a/\"><script>", "url"}, {"url", "http://a/\n", "url"},
		{"url", "java\tscript:x", "url"}, {"url", "mailto:", "url"}, {"url", "file:///etc/passwd", "url"},
		{"url", n("5"), "type.string"}, {"url", "http://a/" + strings.Repeat("x", 2000), "bytes"}, {"url", "http://a/\x00", "characters"},
		{"email", "a@example.org", ""}, {"email", "", ""}, {"email", "a", "email"}, {"email", "A <a@example.org>", "email"},
		{"email", "a@b, c@d", "email"}, {"email", "a@b\r\nBcc: c@d", "email"}, {"email", "a\u202eb@c", "email"},
		{"email", "\u200ba@b", "email"}, {"email", "a@b\u2028", "email"}, {"email", "ä@bücher.example", ""},
		{"email", strings.Repeat("a", 251) + "@b.c", "bytes"}, {"email", true, "type.string"},
	})
}

func TestImages(t *testing.T) {
	t.Parallel()
	check(t, []refusal{
		{"image", "7", ""}, {"image", n("7"), ""}, {"image", "", ""}, {"image", "http://example.org/a.png", ""},
		{"image", "0", "image"}, {"image", "-1", "image"}, {"image", "1.5", "image"}, {"image", "a.png", "image"},
		{"image", "ftp://example.org/a.png", "image"}, {"image", "mailto:a@b", "image"}, {"image", true, "type.string"},
		{"image", []any{"7"}, "type.string"}, {"image", "http://a/" + strings.Repeat("x", 2000), "image"},
	})
	e, _ := parse(t, args.Values{"image": " 7 "}, args.Updating)
	if e.Image.Or(args.Image{}) != (args.Image{ID: 7}) {
		t.Errorf("image: %v", e.Image)
	}
}

func TestZonesAndDates(t *testing.T) {
	t.Parallel()
	check(t, []refusal{
		{"zone", "Europe/Berlin", ""}, {"zone", "europe/berlin", ""}, {"zone", "UTC+5:30", ""}, {"zone", "", ""},
		{"zone", "Mars/Olympus", "timezone"}, {"zone", "../../etc/passwd", "timezone"}, {"zone", "UTC+25", "timezone"},
		{"zone", "Europe/Berlin\x00", "timezone"}, {"zone", n("5"), "type.string"}, {"zone", n("0"), "type.string (type)"}, {"zone", false, "type.string (type)"}, {"zone", []any{}, "type.string (type)"}, {"zone", strings.Repeat("x", 1<<20), "timezone"},
		{"date", "2027-03-01", ""}, {"date", "tomorrow", ""}, {"date", "", "date"}, {"date", "2027-02-30", "date"}, {"date", n("1800000000"), "type.string (type)"},
		{"date", strings.Repeat("+1 week ", 1000), "date"}, {"date", strings.Repeat("9", 1000), "date"}, {"date", "\xff", "date"},
	})
}
