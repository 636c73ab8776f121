package args

//go:generate go run ./zonegen /usr/share/zoneinfo/tzdata.zi zones.zip zone_names.go

import (
	"errors"
	"strconv"
	"strings"
	"sync"
	"time"
)

// ErrZone is returned for a text that does not name a time zone.
var ErrZone = errors.New("args.zone")

// maxOffset is the largest offset from UTC, in seconds.
const maxOffset = 14 * 3600

// Zone is a time zone argument: an IANA zone or a fixed offset from UTC. The zero Zone has no name and is UTC.
type Zone struct {
	name string
	loc  *time.Location
}

// ParseZone parses an IANA name in any letter case, or UTC±H[:MM] up to 14 hours, also written +02:00, -0530 or
// UTC+5.5. It returns ErrZone for anything else.
func ParseZone(s string) (Zone, error) {
	if len(s) > 64 {
		return Zone{}, ErrZone
	}
	name, ok := zonesByFold()[strings.ToLower(s)]
	if ok {
		loc, err := LocationOf(name)
		return Zone{name, loc}, err
	}
	offset, ok := parseOffset(s)
	if !ok {
		return Zone{}, ErrZone
	}
	name = offsetName(offset)
	loc, err := LocationOf(name)
	return Zone{name, loc}, err
}

// Name returns the canonical spelling: "Europe/Berlin", "UTC", "UTC-5:30".
func (z Zone) Name() string { return z.name }

// Location returns the zone as a *time.Location, never nil.
func (z Zone) Location() *time.Location {
	if z.loc == nil {
		return time.UTC
	}
	return z.loc
}

// Abbreviation returns the zone's abbreviation at a moment (rule 8.1, timezone_abbr): CET, EDT, "UTC+5:30" for a
// fixed offset, "+13" if the zone has no letters.
func (z Zone) Abbreviation(at time.Time) string {
	name, _ := at.In(z.Location()).Zone()
	return name
}

var (
	locations   sync.Map // canonical name → *time.Location
	zonesByFold = sync.OnceValue(func() map[string]string {
		byFold := make(map[string]string, len(zoneNames))
		for _, name := range zoneNames {
			byFold[strings.ToLower(name)] = name
		}
		return byFold
	})
)

// LocationOf returns the location of a zone by its canonical name, cached after the first call. It returns ErrZone if
// the name is unknown.
func LocationOf(name string) (*time.Location, error) {
	if loc, ok := locations.Load(name); ok {
		return loc.(*time.Location), nil
	}
	loc, err := loadZone(name)
	if err != nil {
		return nil, ErrZone
	}
	kept, _ := locations.LoadOrStore(name, loc)
	return kept.(*time.Location), nil
}

// loadZone loads the location of a canonical name. It rejects all other names to bound the cache.
func loadZone(name string) (*time.Location, error) {
	if zonesByFold()[strings.ToLower(name)] == name && name != "" {
		return readZone(name)
	}
	offset, ok := parseOffset(name)
	if !ok || offsetName(offset) != name {
		return nil, ErrZone
	}
	return time.FixedZone(name, offset), nil
}

// parseOffset parses [UTC]±H, ±HH, ±HHMM, ±H:MM and ±H.F into seconds.
func parseOffset(s string) (int, bool) {
	if len(s) > 3 && strings.EqualFold(s[:3], "UTC") {
		s = s[3:]
	}
	if len(s) < 2 || s[0] != '+' && s[0] != '-' {
		return 0, false
	}
	hours, minutes, ok := offsetParts(s[1:])
	seconds := hours*3600 + minutes*60
	if !ok || minutes > 59 || seconds > maxOffset {
		return 0, false
	}
	if s[0] == '-' {
		seconds = -seconds
	}
	return seconds, true
}

func offsetParts(s string) (hours, minutes int, ok bool) {
	if whole, part, found := strings.Cut(s, "."); found {
		quarters := map[string]int{"0": 0, "25": 15, "5": 30, "50": 30, "75": 45}
		minutes, ok = quarters[part]
		hours, whole := smallNumber(whole)
		return hours, minutes, ok && whole
	}
	head, tail, found := strings.Cut(s, ":")
	switch {
	case !found && len(s) == 4:
		head, tail = s[:2], s[2:]
	case !found:
		tail = "00"
	}
	hours, ok = smallNumber(head)
	minutes, tailOK := twoDigits(tail)
	return hours, minutes, ok && tailOK && len(tail) == 2
}

// smallNumber parses one or two digits.
func smallNumber(s string) (int, bool) {
	if s == "" || len(s) > 2 || skipDigits(s) != "" {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}

// offsetName formats an offset: "UTC", "UTC+2", "UTC-5:30".
func offsetName(seconds int) string {
	if seconds == 0 {
		return "UTC"
	}
	sign, minutes := "+", seconds/60
	if minutes < 0 {
		sign, minutes = "-", -minutes
	}
	name := "UTC" + sign + strconv.Itoa(minutes/60)
	if minutes %= 60; minutes > 0 {
		name += ":" + strconv.Itoa(minutes/10) + strconv.Itoa(minutes%10)
	}
	return name
}

// ZoneNames returns the canonical names of the IANA time zones.
func ZoneNames() []string { return append([]string(nil), zoneNames[:]...) }
