package tenancy

import (
	"net/netip"
	"regexp"
	"strings"

	"golang.org/x/net/idna"
)

// Host returns the name in a Host header, normalized for finding the site: lower case, without port, brackets and
// trailing dot. It returns "" for an empty header, and false for a header that is not a valid host name.
func Host(header string) (string, bool) {
	name, ok := WithoutPort(header)
	if !ok || name == "" {
		return "", ok
	}
	if strings.Contains(name, ":") {
		address, err := netip.ParseAddr(name)
		return address.WithZone("").String(), err == nil
	}
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	return name, hostForm(name)
}

// WithoutPort removes the port, and the brackets of an IPv6 address.
func WithoutPort(header string) (string, bool) {
	name, port := header, ""
	if rest, bracketed := strings.CutPrefix(header, "["); bracketed {
		inner, after, closed := strings.Cut(rest, "]")
		if !closed || !strings.Contains(inner, ":") {
			return "", false
		}
		name, port = inner, after
	} else if strings.Count(header, ":") == 1 {
		at := strings.IndexByte(header, ':')
		name, port = header[:at], header[at:]
	}
	digits := strings.TrimPrefix(port, ":")
	return name, (port == "" || port[0] == ':') && len(digits) <= 5 && strings.Trim(digits, "0123456789") == "" &&
		(name != "" || port == "")
}

// LongestHost is the maximum length of a host's name in bytes.
const LongestHost = 253

// hostForm reports whether name, in lower case, can be the name of a host. Every request calls it, so it reads the name only
// once.
func hostForm(name string) bool {
	if name == "" || len(name) > LongestHost {
		return false
	}
	const most = 63 // bytes of a label (RFC 1035 §2.3.4)
	label := 0      // length of the current label in bytes
	for i := range len(name) {
		switch c := name[i]; {
		case c == '.':
			if label == 0 || label > most || name[i-1] == '-' {
				return false
			}
			label = 0
		case c == '-' && label == 0:
			return false
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '-', c == '_':
			label++
		default:
			return false
		}
	}
	return label > 0 && label <= most && name[len(name)-1] != '-'
}

// DomainForm normalizes a domain that someone has entered, in the same way as Host. Names in other scripts become
// punycode. It returns false for addresses, ports and wildcards.
func DomainForm(name string) (string, bool) {
	ascii, err := idna.Lookup.ToASCII(strings.TrimSuffix(strings.TrimSpace(name), "."))
	if err != nil || strings.ContainsAny(ascii, "_:") || !hostForm(ascii) {
		return "", false
	}
	last := ascii[strings.LastIndexByte(ascii, '.')+1:]
	return ascii, strings.Trim(last, "0123456789") != ""
}

var slugForm = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`)

// reservedSlugs are names below the platform's domain that programs or people could mistake for the platform
// itself.
var reservedSlugs = map[string]bool{
	"www": true, "api": true, "admin": true, "platform": true, "login": true, "auth": true, "account": true, "static": true,
	"media": true, "assets": true, "cdn": true, "mail": true, "smtp": true, "imap": true, "pop": true, "ftp": true,
	"mx": true, "ns": true, "ns1": true, "ns2": true, "autoconfig": true, "autodiscover": true, "wpad": true, "isatap": true,
	"localhost": true, "status": true, "support": true, "security": true, "postmaster": true,
}

// ReservedSlug reports whether a slug is forbidden for new sites. People could mistake its host name for the platform
// itself or, if it has the prefix of punycode, for a name in another script.
func ReservedSlug(slug string) bool { return reservedSlugs[slug] || strings.HasPrefix(slug, "xn--") }

// SlugForm reports whether a text can be the slug of a site: a label of a host name.
func SlugForm(slug string) bool { return slugForm.MatchString(slug) }
