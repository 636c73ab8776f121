package args

import (
	"testing"
	"time"
)

func TestParseZone(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"Europe/Berlin": "Europe/Berlin", "europe/berlin": "Europe/Berlin", "AMERICA/ARGENTINA/BUENOS_AIRES": "America/Argentina/Buenos_Aires",
		"utc": "UTC", "UTC": "UTC", "est": "EST", "gmt": "GMT", "etc/gmt+5": "Etc/GMT+5", "america/port-au-prince": "America/Port-au-Prince",
		"UTC+2": "UTC+2", "utc+02": "UTC+2", "UTC+02:00": "UTC+2", "UTC+0200": "UTC+2", "+02:00": "UTC+2", "+0200": "UTC+2", "+2": "UTC+2",
		"UTC-5:30": "UTC-5:30", "-0530": "UTC-5:30", "UTC+5.5": "UTC+5:30", "UTC+5.75": "UTC+5:45", "UTC-0:30": "UTC-0:30",
		"UTC+14": "UTC+14", "UTC-14:00": "UTC-14", "UTC+0": "UTC", "-00:00": "UTC",
	}
	for text, want := range tests {
		z, err := ParseZone(text)
		if err != nil || z.Name() != want {
			t.Errorf("%q: %q, %v", text, z.Name(), err)
			continue
		}
		loc, err := LocationOf(z.Name())
		if err != nil || loc != z.Location() || loc.String() != want {
			t.Errorf("%q: location %v, %v", text, loc, err)
		}
		again, err := ParseZone(z.Name())
		if err != nil || again != z {
			t.Errorf("%q: read again as %v, %v", text, again, err)
		}
	}
}

func TestParseZoneRefuses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", " ", "UTC+25", "UTC+14:01", "UTC-15", "+02:60", "UTC+", "UTC2", "UTC+2:3", "UTC+2:", "UTC+2.3", "UTC+123", "+", "+02:00:00",
		"Berlin", "Europe/Nowhere", "Europe/", "../etc/passwd", "Europe/../UTC", "Factory", "Local", "CEST", "zoneinfo.zip", "Mars/Phobos\x00",
	} {
		if z, err := ParseZone(text); err != ErrZone {
			t.Errorf("%q: read as %q", text, z.Name())
		}
	}
}

func TestLocationOfWantsCanonicalNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "europe/berlin", "UTC+02", "UTC+0", "+02:00", "Local", "/etc/localtime"} {
		if _, err := LocationOf(name); err != ErrZone {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestEveryZoneLoads(t *testing.T) {
	t.Parallel()
	for _, name := range zoneNames {
		if _, err := LocationOf(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAbbreviation(t *testing.T) {
	t.Parallel()
	winter, summer := time.Date(2027, 1, 15, 12, 0, 0, 0, time.UTC), time.Date(2027, 7, 15, 12, 0, 0, 0, time.UTC)
	tests := []struct {
		zone string
		at   time.Time
		want string
	}{
		{"Europe/Berlin", winter, "CET"}, {"Europe/Berlin", summer, "CEST"},
		{"America/New_York", winter, "EST"}, {"America/New_York", summer, "EDT"},
		{"UTC", winter, "UTC"}, {"UTC+5:30", winter, "UTC+5:30"}, {"-0530", winter, "UTC-5:30"}, {"Pacific/Apia", winter, "+13"},
	}
	for _, test := range tests {
		z, err := ParseZone(test.zone)
		if got := z.Abbreviation(test.at); err != nil || got != test.want {
			t.Errorf("%s: %q, %v", test.zone, got, err)
		}
	}
	var none Zone
	if none.Name() != "" || none.Location() != time.UTC {
		t.Error("the zero Zone is not UTC without a name")
	}
}

func FuzzParseZone(f *testing.F) {
	for _, seed := range []string{"Europe/Berlin", "utc", "UTC+5:30", "-0530", "+2", "UTC+5.5"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		z, err := ParseZone(text)
		if err != nil {
			return
		}
		again, err := ParseZone(z.Name())
		if err != nil || again != z {
			t.Fatalf("%q is %q, which is %q: %v", text, z.Name(), again.Name(), err)
		}
	})
}

func BenchmarkLocationOf(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := LocationOf("Europe/Berlin"); err != nil {
			b.Fatal(err)
		}
	}
}
