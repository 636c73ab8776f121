package reading

import (
	"strings"
	"time"

	"github.com/kalends/kalends/internal/args"
)

// foundZone is the meaning of a TZID of a calendar.
type foundZone struct {
	zone  *time.Location // nil if unknown: floating
	notes []Finding
}

// zone returns the zone of a TZID in a calendar: the zone with that name, otherwise the zone whose offsets match
// the TZID's VTIMEZONE in a year and the next. If there is neither, times are floating.
func (c *calendarPart) zone(id string, year int) foundZone {
	if found, ok := c.found[id]; ok {
		return found
	}
	found := foundZone{}
	part, described := c.zones[id]
	var rules vtimezone
	if described {
		rules = readTimezone(part.data)
	}
	switch zone, ok := zoneNamed(id); {
	case ok:
		found.zone = zone
	case described:
		if zone, ok := zoneNamed(rules.location); ok {
			found.zone = zone
			break
		}
		if found.zone = rules.match(year, c.floating); found.zone != nil {
			found.notes = []Finding{{Code: "zone-matched", Param: "timezone", Value: args.Shortened(id)}}
		}
	}
	if found.zone == nil {
		found.notes = []Finding{{Code: "zone-unknown", Param: "timezone", Value: args.Shortened(id)}}
	}
	c.found[id] = found
	return found
}

// longestZone is the maximum length of the name of a zone, in bytes.
const longestZone = 200

// zoneNamed returns the zone with a name. The name may be one of the IANA database, alone or at the end of a path such as
// "/freeassociation.sourceforge.net/Tzfile/Europe/Berlin"; one of Windows; or the text that Windows shows: "(UTC+01:00)
// Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna".
func zoneNamed(name string) (*time.Location, bool) {
	name = strings.TrimSpace(strings.Trim(strings.TrimSpace(name), `"`))
	if name == "" || len(name) > longestZone {
		return nil, false
	}
	offset, _ := cutFold(name, "GMT") // GMT+0200, but not Etc/GMT+2
	for _, text := range []string{name, offset} {
		if zone, err := args.ParseZone(text); err == nil && text != "" {
			return zone.Location(), true
		}
	}
	if iana, ok := windowsZone(name); ok {
		if zone, err := args.ParseZone(iana); err == nil {
			return zone.Location(), true
		}
	}
	for rest := name; ; {
		_, after, more := strings.Cut(rest, "/")
		if !more || !strings.Contains(after, "/") && !strings.HasPrefix(name, "/") && !strings.Contains(name, "://") {
			return nil, false
		}
		if rest = after; rest == "" {
			return nil, false
		}
		if zone, err := args.ParseZone(rest); err == nil {
			return zone.Location(), true
		}
	}
}

// windowsZone returns the IANA zone of a name of Windows, or of the text that Windows shows.
func windowsZone(name string) (string, bool) {
	if iana, ok := windowsZones()[foldZone(name)]; ok {
		return iana, true
	}
	if _, cities, ok := strings.Cut(name, ")"); ok && strings.HasPrefix(name, "(") {
		iana, ok := windowsZones()[foldZone(cities)]
		return iana, ok
	}
	return "", false
}

// foldZone returns a name in lower case, without blanks, full stops and commas.
func foldZone(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'A' <= r && r <= 'Z':
			return r + 'a' - 'A'
		case r == ' ' || r == '.' || r == ',' || r == '\t':
			return -1
		}
		return r
	}, name)
}
