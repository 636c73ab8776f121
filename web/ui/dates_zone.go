package ui

import (
	"fmt"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
)

// ZoneOf returns the zone of an event.
func ZoneOf(e *calendar.Event) *time.Location {
	zone, err := args.LocationOf(e.Timezone)
	if err != nil {
		return time.UTC
	}
	return zone
}

// Elsewhere reports whether the event's time zone and the site's have different offsets at that moment.
func Elsewhere(e *calendar.Event, site *time.Location) bool {
	_, there := e.StartUTC.In(ZoneOf(e)).Zone()
	_, here := e.StartUTC.In(site).Zone()
	return there != here
}

// zoneName returns the zone of an event and its offset from UTC at the start. Names of zones are the same in all languages,
// and written from left to right.
func zoneName(e *calendar.Event) string {
	offset := OffsetOf(e.StartUTC.In(ZoneOf(e)))
	if strings.HasPrefix(e.Timezone, "UTC") {
		return offset
	}
	return strings.ReplaceAll(e.Timezone, "_", " ") + ", " + offset
}

// OffsetOf formats the offset from UTC: UTC+1, UTC−3:30.
func OffsetOf(t time.Time) string {
	_, seconds := t.Zone()
	sign := "+"
	if seconds < 0 {
		sign, seconds = "−", -seconds
	}
	if minutes := seconds / 60 % 60; minutes != 0 {
		return fmt.Sprintf("UTC%s%d:%02d", sign, seconds/3600, minutes)
	}
	return fmt.Sprintf("UTC%s%d", sign, seconds/3600)
}
