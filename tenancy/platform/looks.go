package platform

import (
	"strings"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// FaceFields are the arguments of a Face.
type FaceFields struct {
	Theme   args.Opt[string] `arg:"theme,nonempty,nonull,enum=plain|journal|poster|board|night"`
	Corners args.Opt[string] `arg:"corners,nonempty,nonull,enum=square|slight|round"`
	Font    args.Opt[string] `arg:"font,nonempty,nonull,enum=theme|sans|serif|humanist|slab"`
	Logo    args.Opt[string] `arg:"logo,max=500"`
	Header  args.Opt[string] `arg:"header,max=500"`
	Links   args.Opt[string] `arg:"links,max=2000"`
	Footer  args.Opt[string] `arg:"footer_links,max=2000"`
}

// check refuses addresses and links that cannot be shown.
func (f *FaceFields) check(found *args.Problems) {
	for name, text := range map[string]args.Opt[string]{"logo": f.Logo, "header": f.Header} {
		if !pictured(strings.TrimSpace(text.Or(""))) {
			found.Invalid(name, "problem.picture_address", nil)
		}
	}
	for name, text := range map[string]args.Opt[string]{"links": f.Links, "footer_links": f.Footer} {
		if _, ok := tenancy.Links(text.Or("")); !ok {
			found.Invalid(name, "problem.site_links", nil)
		}
	}
}

// patch sets the sent arguments in a face.
func (f *FaceFields) patch(face *tenancy.Face) {
	f.Theme.Patch(&face.Theme, "plain")
	f.Corners.Patch(&face.Corners, "slight")
	f.Font.Patch(&face.Font, "theme")
	for _, one := range []struct {
		given args.Opt[string]
		into  *string
	}{{f.Logo, &face.Logo}, {f.Header, &face.Header}, {f.Links, &face.Links}, {f.Footer, &face.Footer}} {
		if one.given.Given() {
			*one.into = lines(one.given.Or(""))
		}
	}
}

// MapFields are the arguments of a Map.
type MapFields struct {
	Tiles  args.Opt[string] `arg:"map_tiles,max=500"`
	Credit args.Opt[string] `arg:"map_credit,max=300"`
}

// check refuses a tile URL without {z}, {x} and {y}, and a credit that is not a link.
func (f *MapFields) check(found *args.Problems) {
	if text := strings.TrimSpace(f.Tiles.Or("")); text != "" {
		whole := pictured(text)
		for _, part := range []string{"{z}", "{x}", "{y}"} {
			whole = whole && strings.Count(text, part) == 1
		}
		if !whole {
			found.Invalid("map_tiles", "problem.map_tiles", map[string]any{"Parts": "{z}, {x}, {y}"})
		}
	}
	if list, ok := tenancy.Links(f.Credit.Or("")); !ok || len(list) > 1 {
		found.Invalid("map_credit", "problem.map_credit", nil)
	}
}

// patch sets the sent arguments in a map.
func (f *MapFields) patch(m *tenancy.Map) {
	if f.Tiles.Given() {
		m.Tiles = strings.TrimSpace(f.Tiles.Or(""))
	}
	if f.Credit.Given() {
		m.Credit = strings.TrimSpace(f.Credit.Or(""))
	}
}

// pictured reports whether an address may be that of a picture: https, a path of the site, or "".
func pictured(address string) bool {
	return address == "" || tenancy.Followed(address) && (strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "/"))
}
