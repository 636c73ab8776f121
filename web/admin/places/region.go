package places

import (
	"cmp"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/web/forms/frame"
)

// regionField is the one field of a form for the state or province of a venue.
const regionField = "region"

// oneRegion reports whether a form has one field for the region of a venue: its state, its province and the region as it is shown do not
// differ from each other.
func oneRegion(f *frame.Form) bool {
	region := regionOf(f)
	for _, name := range []string{"state", "province", "stateprovince"} {
		if text := f.Text(name); f.Problem(name) != "" || text != "" && text != region {
			return false
		}
	}
	return true
}

// regionOf returns the region of the venue in a form.
func regionOf(f *frame.Form) string {
	return cmp.Or(f.Text("stateprovince"), f.Text("state"), f.Text("province"))
}

// follows reports whether the region of a venue in a form is its state or province, which it follows.
func follows(f *frame.Form) bool {
	region := f.Text("stateprovince")
	return f.Problem("stateprovince") == "" && (region == "" || region == f.Text("state") || region == f.Text("province"))
}

// takeRegion puts a changed region into the field that has it so far. A new one is a state or a province, as the default of the region is
// in the country (rule 8.2).
func takeRegion(f *frame.Form) {
	typed := f.Text(regionField)
	if !f.Has(regionField) || typed == regionOf(f) {
		return
	}
	if f.Text("state") == "" && f.Text("province") == "" {
		if there := (&calendar.Venue{Country: f.Text("country"), State: "state", Province: "province"}).StateOrProvince(); there != "" {
			f.Set(there, typed)
		}
	} else {
		for _, name := range []string{"state", "province"} {
			if f.Text(name) != "" {
				f.Set(name, typed)
			}
		}
	}
	if f.Text("stateprovince") != "" {
		f.Set("stateprovince", typed)
	}
}
