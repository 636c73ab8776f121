package args

//go:generate go run ./zonegen /usr/share/zoneinfo/tzdata.zi zones.zip zone_names.go

import (
	"errors"
	"strconv"
	"strings"
	"sync"
	"time"
)

// ErrZone says that a text names no time zone.
var ErrZone = errors.New("args.zone")

// maxOffset is the largest distance from UTC, in seconds.
const maxOffset = 14 * 3600

// Zone is a time zone argument: an IANA zone or a fixed distance from UTC. The
// zero Zone has no name and is UTC.
type Zone struct {
	name string
	loc  *time.Location
}

// ParseZone reads an IANA name in any case, or UTC±H[:MM] up to 14 hours, also
// written +02:00, -0530 or UTC+5.5 (wire §3 Zones); otherwise it is ErrZone.
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

// Location returns the zone for use with package time.
func (z Zone) Location() *time.Location {
	if z.loc == nil {
		return time.UTC
	}
	return z.loc
}

// Abbreviation returns what the zone is called at a moment (rule 8.1,
// timezone_abbr): CET, EDT, "UTC+5:30" for a fixed distance, "+13" where the
// zone has no letters.
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

// LocationOf returns the location of a zone stored under its canonical name,
// from memory after the first time; an unknown name is ErrZone.
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

// loadZone makes the location of a canonical name; others are refused, so that
// what is kept in memory has a bound.
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

// parseOffset reads [UTC]±H, ±HH, ±HHMM, ±H:MM and ±H.F, in seconds.
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

// smallNumber reads one or two digits.
func smallNumber(s string) (int, bool) {
	if s == "" || len(s) > 2 || skipDigits(s) != "" {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}

// offsetName spells an offset: "UTC", "UTC+2", "UTC-5:30".
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

// ZoneNames lists the names of the IANA time zones in their canonical spelling.
func ZoneNames() []string { return append([]string(nil), zoneNames[:]...) }
