package args

import (
	"archive/zip"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// The data has a version, and every name has a zone.
func TestZoneData(t *testing.T) {
	if got := ZoneVersion(); got < "2026f" {
		t.Errorf("zones of %s", got)
	}
	for _, name := range ZoneNames() {
		if zone, err := LocationOf(name); err != nil || zone.String() != name {
			t.Errorf("%s: %v, %v", name, zone, err)
		}
	}
}

// Regions with rules changed in 2026, which older data lacks: their offsets from UTC in the following winter and
// summer.
func TestZoneLaws(t *testing.T) {
	for _, c := range []struct {
		zone           string
		winter, summer int
	}{
		{"America/Vancouver", -7, -7},
		{"America/Edmonton", -6, -6},
		{"America/Winnipeg", -5, -5},
		{"America/Yellowknife", -6, -6},
		{"America/Inuvik", -6, -6},
		{"Africa/Casablanca", 0, 0},
		{"Africa/El_Aaiun", 0, 0},
		{"America/Havana", -4, -4}, // and in winter again from 2027 on
		{"Europe/Berlin", 1, 2},
	} {
		zone, err := LocationOf(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		for month, want := range map[time.Month]int{time.January: c.winter, time.July: c.summer} {
			if _, got := time.Date(2027, month, 15, 12, 0, 0, 0, zone).Zone(); got != want*3600 {
				t.Errorf("%s is %d hours from UTC in %s 2027, want %d", c.zone, got/3600, month, want)
			}
		}
	}
}

// External data in a folder or archive takes precedence over the embedded data, which supplies zones that it lacks.
func TestUseZoneInfo(t *testing.T) {
	restore := func() {
		overriding.from, overriding.version = nil, ""
		locations.Clear()
	}
	t.Cleanup(restore)
	lisbon, err := embeddedZones().zone("Europe/Lisbon")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.MkdirAll(filepath.Join(folder, "Europe"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "Europe", "Berlin"), lisbon, 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Create(filepath.Join(folder, "zones.zip"))
	if err != nil {
		t.Fatal(err)
	}
	archive := zip.NewWriter(file)
	member, err := archive.Create("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := member.Write(lisbon); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(archive.SetComment("2099a"), archive.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
	for path, version := range map[string]string{folder: "unknown", file.Name(): "2099a"} {
		restore()
		if err := UseZoneInfo(path); err != nil {
			t.Fatal(err)
		}
		if got := ZoneVersion(); got != version {
			t.Errorf("%s: version %s, want %s", path, got, version)
		}
		for name, want := range map[string]int{"Europe/Berlin": 0, "Asia/Tokyo": 9 * 3600} {
			zone, err := LocationOf(name)
			if err != nil {
				t.Fatal(err)
			}
			if _, got := time.Date(2027, 1, 1, 0, 0, 0, 0, zone).Zone(); got != want {
				t.Errorf("%s: %s is %d seconds from UTC, want %d", path, name, got, want)
			}
		}
	}
	for _, path := range []string{t.TempDir(), filepath.Join(folder, "Europe", "Berlin"), filepath.Join(folder, "none")} {
		if err := UseZoneInfo(path); err == nil {
			t.Errorf("%s is taken for time zone data", path)
		}
	}
}
