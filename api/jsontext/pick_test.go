package jsontext

import "testing"

// Only what was asked for is left, in its order, within objects and the objects of lists (rule 3.2).
func TestPick(t *testing.T) {
	t.Parallel()
	const value = `{"id":6,"title":"a \"b\"","image":false,"venue":{"id":3,"city":"Bonn","geo":{"lat":1.5,"lng":2}},` +
		`"tags":[{"id":1,"name":"x"},{"id":2}],"values":["5","10"],"none":null,"empty":[]}`
	for fields, want := range map[string]string{
		"id":                         `{"id":6}`,
		"title,id":                   `{"id":6,"title":"a \"b\""}`,
		" title , id ":               `{"id":6,"title":"a \"b\""}`,
		"id,id":                      `{"id":6}`,
		"other":                      `{}`,
		"":                           `{}`,
		",":                          `{}`,
		"venue":                      `{"venue":{"id":3,"city":"Bonn","geo":{"lat":1.5,"lng":2}}}`,
		"venue.city":                 `{"venue":{"city":"Bonn"}}`,
		"venue.city,venue.id":        `{"venue":{"id":3,"city":"Bonn"}}`,
		"venue.city,venue":           `{"venue":{"id":3,"city":"Bonn","geo":{"lat":1.5,"lng":2}}}`,
		"venue,venue.city":           `{"venue":{"id":3,"city":"Bonn","geo":{"lat":1.5,"lng":2}}}`,
		"venue.geo.lat":              `{"venue":{"geo":{"lat":1.5}}}`,
		"venue.other":                `{"venue":{}}`,
		"tags.id":                    `{"tags":[{"id":1},{"id":2}]}`,
		"tags.name":                  `{"tags":[{"name":"x"},{}]}`,
		"values.x":                   `{"values":[]}`,
		"title.rendered":             `{"title":"a \"b\""}`, // as WordPress does for objects of its own
		"image.url,none.x":           `{"image":false,"none":null}`,
		"empty.x":                    `{"empty":[]}`,
		"venue.,venue.geo.":          `{"venue":{"geo":{}}}`,
		"id.x.y.z":                   `{"id":6}`,
		".id":                        `{}`,
		"venue.geo.lat,tags.id,none": `{"venue":{"geo":{"lat":1.5}},"tags":[{"id":1},{"id":2}],"none":null}`,
	} {
		got, err := Pick([]byte(value), fields)
		if err != nil || string(got) != want {
			t.Errorf("%s: %s, %v, want %s", fields, got, err, want)
		}
	}
	if got, err := Pick([]byte(`[{"id":1,"a":2},{"id":3}]`), "id"); err != nil || string(got) != `[{"id":1},{"id":3}]` {
		t.Errorf("of a list: %s, %v", got, err)
	}
	for _, broken := range []string{"", "{", `{"id":`, `{"id":6`, `[{"id":1}`, "x"} {
		if got, err := Pick([]byte(broken), "id"); err == nil {
			t.Errorf("%s: %s", broken, got)
		}
	}
}
