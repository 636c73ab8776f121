package tenancy

import (
	"strings"

	"github.com/kalends/kalends/args"
)

// Map is where the maps of the public pages of a site come from.
type Map struct {
	Tiles  string // address of pictures of the ground, with {z}, {x} and {y}; "": there are no maps
	Credit string // who made them: words | address, or ""
}

// MapFields are the arguments of a Map.
type MapFields struct {
	Tiles  args.Opt[string] `arg:"map_tiles,max=500"`
	Credit args.Opt[string] `arg:"map_credit,max=300"`
}

// check refuses addresses that no picture of a place is at.
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
	if list, ok := Links(f.Credit.Or("")); !ok || len(list) > 1 {
		found.Invalid("map_credit", "problem.map_credit", nil)
	}
}

// patch writes what is given into a map.
func (f *MapFields) patch(m *Map) {
	if f.Tiles.Given() {
		m.Tiles = strings.TrimSpace(f.Tiles.Or(""))
	}
	if f.Credit.Given() {
		m.Credit = strings.TrimSpace(f.Credit.Or(""))
	}
}
