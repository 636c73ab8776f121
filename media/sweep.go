package media

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"
	"time"
)

// Named returns which folders {site}/{id} of a site are still referenced, by their ids.
type Named func(ctx context.Context, site string, ids []string) ([]string, error)

// Swept counts what a sweep removed.
type Swept struct {
	Files, Bytes int64
}

// file is a blob, or a temporary file, found in a store.
type file struct {
	name     string
	size     int64
	modified time.Time
}

// folder returns {site}/{id}, or "" for files elsewhere.
func (f *file) folder() string {
	if strings.Count(f.name, "/") != 2 {
		return ""
	}
	return path.Dir(f.name)
}

// folder collects the files in {site}/{id}.
type folder struct {
	site, id string
	files    []file
	newest   time.Time
}

// asked is the approximate number of folders per query.
const asked = 500

// sweeper processes the files of a store, folder by folder.
type sweeper struct {
	before  time.Time
	named   Named
	remove  func(ctx context.Context, name string) error
	folders []*folder // of one site
	done    Swept
}

// add processes the next file. The files of a folder must be consecutive, and so must the folders of a site.
func (s *sweeper) add(ctx context.Context, f file) error {
	name := f.folder()
	if name == "" {
		return nil
	}
	site, id := path.Split(name)
	site = strings.TrimSuffix(site, "/")
	last := len(s.folders) - 1
	if last < 0 || s.folders[last].site != site || s.folders[last].id != id {
		if last >= 0 && (s.folders[last].site != site || last+1 >= asked) {
			if err := s.flush(ctx); err != nil {
				return err
			}
		}
		s.folders = append(s.folders, &folder{site: site, id: id})
		last = len(s.folders) - 1
	}
	into := s.folders[last]
	into.files = append(into.files, f)
	if f.modified.After(into.newest) {
		into.newest = f.modified
	}
	return nil
}

// flush removes the unreferenced folders collected so far. It asks only about folders that are old enough and whose
// files have all been seen.
func (s *sweeper) flush(ctx context.Context) error {
	defer func() { s.folders = s.folders[:0] }()
	var ids []string
	for _, f := range s.folders {
		if f.newest.Before(s.before) {
			ids = append(ids, f.id)
		}
	}
	var named []string
	if len(ids) > 0 {
		var err error
		if named, err = s.named(ctx, s.folders[0].site, ids); err != nil {
			return err
		}
	}
	var failed []error
	for _, f := range s.folders {
		gone := slices.Contains(ids, f.id) && !slices.Contains(named, f.id)
		for _, one := range f.files {
			begun := strings.HasPrefix(path.Base(one.name), ".") // and never finished
			if !gone && (!begun || !one.modified.Before(s.before)) {
				continue
			}
			if err := s.remove(ctx, one.name); err != nil {
				failed = append(failed, err)
				continue
			}
			s.done.Files++
			s.done.Bytes += one.size
		}
	}
	return errors.Join(failed...)
}
