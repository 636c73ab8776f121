package args

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"sync"
	"time"
)

// The zones are embedded, so that they are the same on every machine and as recent as the release. The archive comment
// is the version of the data.
//
//go:embed zones.zip
var zonesZip []byte

// embeddedZones is the embedded archive, opened on first use, including its aliases.
var embeddedZones = sync.OnceValue(func() *zoneArchive {
	archive, err := newZoneArchive(bytes.NewReader(zonesZip), int64(len(zonesZip)))
	if err != nil {
		return &zoneArchive{Reader: &zip.Reader{}} // a test ensures that the archive opens
	}
	return archive
})

// zoneArchive is a zip with one member per zone.
type zoneArchive struct {
	*zip.Reader
	twins map[string]string
}

func newZoneArchive(r io.ReaderAt, size int64) (*zoneArchive, error) {
	reader, err := zip.NewReader(r, size)
	if err != nil {
		return nil, err
	}
	a := &zoneArchive{Reader: reader, twins: map[string]string{}}
	links, err := fs.ReadFile(a, "links")
	if err != nil {
		return a, nil //nolint:nilerr // other archives contain every zone as a member
	}
	for line := range strings.Lines(string(links)) {
		if name, twin, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			a.twins[name] = twin
		}
	}
	return a, nil
}

// zone returns the compiled zone with a name.
func (a *zoneArchive) zone(name string) ([]byte, error) {
	if twin, ok := a.twins[name]; ok {
		name = twin
	}
	return fs.ReadFile(a, name)
}

// overriding is the source that takes precedence over the embedded zones.
var overriding struct {
	sync.RWMutex
	from    func(name string) ([]byte, error)
	version string
}

// ErrZoneInfo is returned for a path without time zone data.
var ErrZoneInfo = errors.New("no time zone data there")

// UseZoneInfo makes zones load from a folder or an archive of compiled zones in preference to the embedded ones,
// like ZONEINFO does for Go programs. It must be called at startup, before any zone is loaded. It returns
// ErrZoneInfo, or the error of reading the path.
func UseZoneInfo(from string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	files := os.DirFS(from)
	read := func(name string) ([]byte, error) { return fs.ReadFile(files, name) }
	version := ""
	if !info.IsDir() {
		data, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		archive, err := newZoneArchive(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return ErrZoneInfo
		}
		files, read, version = archive, archive.zone, archive.Comment
	}
	data, err := read("Europe/Berlin")
	if err == nil {
		_, err = time.LoadLocationFromTZData("Europe/Berlin", data)
	}
	if err != nil {
		return ErrZoneInfo
	}
	if version == "" {
		version = foreignVersion(files)
	}
	overriding.Lock()
	defer overriding.Unlock()
	overriding.from, overriding.version = read, version
	locations.Clear()
	return nil
}

// foreignVersion returns the version of external data, which systems keep in +VERSION or in the first line of
// tzdata.zi.
func foreignVersion(files fs.FS) string {
	if data, err := fs.ReadFile(files, "+VERSION"); err == nil {
		return strings.TrimSpace(string(data))
	}
	data, _ := fs.ReadFile(files, "tzdata.zi")
	line, _, _ := strings.Cut(string(data), "\n")
	if version, ok := strings.CutPrefix(line, "# version "); ok {
		return strings.TrimSpace(version)
	}
	return "unknown"
}

// ZoneVersion returns the version of the time zone data in use, such as "2026f", or "unknown" if external data does
// not state it.
func ZoneVersion() string {
	overriding.RLock()
	defer overriding.RUnlock()
	if overriding.from != nil {
		return overriding.version
	}
	return embeddedZones().Comment
}

// readZone loads an IANA zone. Zones that external data lacks come from the embedded data.
func readZone(name string) (*time.Location, error) {
	if path.Clean("/" + name)[1:] != name {
		return nil, ErrZone
	}
	if name == "UTC" {
		return time.UTC, nil
	}
	overriding.RLock()
	from := overriding.from
	overriding.RUnlock()
	if from != nil {
		if data, err := from(name); err == nil {
			if loc, err := time.LoadLocationFromTZData(name, data); err == nil {
				return loc, nil
			}
		}
	}
	data, err := embeddedZones().zone(name)
	if err != nil {
		return nil, err
	}
	return time.LoadLocationFromTZData(name, data)
}
