package reading

import (
	"strings"
	"time"

	"github.com/kalends/kalends/internal/args"
)

// foundZone is what a TZID of a calendar means.
type foundZone struct {
	zone  *time.Location // nil if nobody knows: floating
	notes []Finding
}

// zone returns the zone that a calendar means by a TZID: the one of that name, else the one whose clocks go as its
// VTIMEZONE says in a year and the years after it. Without either, times are floating.
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

// longestZone is the greatest length of the name of a zone, in bytes.
const longestZone = 200

// zoneNamed returns the zone of a name: of the IANA database, alone or at the end of a path as in
// "/freeassociation.sourceforge.net/Tzfile/Europe/Berlin"; of Windows; or as Windows shows it, "(UTC+01:00) Amsterdam,
// Berlin, Bern, Rome, Stockholm, Vienna".
func zoneNamed(name string) (*time.Location, bool) {
	name = strings.TrimSpace(strings.Trim(strings.TrimSpace(name), `"`))
	if name == "" || len(name) > longestZone {
		return nil, false
	}
	if zone, err := args.ParseZone(name); err == nil {
		return zone.Location(), true
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

// windowsZone returns the IANA zone of a name of Windows, or of the text that Windows shows for it.
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

// foldZone returns the letters, digits and signs of a name in lower case.
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
