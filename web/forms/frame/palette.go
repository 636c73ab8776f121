package frame

import (
	"context"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// creation is a kind of item that can be created from every page, with the rights needed.
type creation struct {
	text, path string
	may        tenancy.Permission
}

var creations = []creation{
	{"events.new", "/events/new", tenancy.EditOwn},
	{"venues.new", "/venues/new", tenancy.EditOwn},
	{"organizers.new", "/organizers/new", tenancy.EditOwn},
	{"categories.new", "/categories", calendar.Categories.Right()},
	{"users.new", "/users/new", tenancy.ManageUsers},
}

// creatable returns the kinds of items that the principal may create.
func creatable(ctx context.Context) []creation {
	var list []creation
	for _, one := range creations {
		made := one.text != "categories.new" || calendar.MayMakeTerms(tenancy.Current(ctx).Principal, calendar.Categories)
		if made && May(ctx, one.may) {
			list = append(list, one)
		}
	}
	return list
}

// shortcut is a combination of keys. mod means Ctrl or, on a Mac, Command.
type shortcut struct {
	text string
	keys []string
}

// shortcuts are the shortcuts of the administration, in the order in which they are shown.
var shortcuts = []shortcut{
	{"palette", []string{"mod", "K"}},
	{"keys", []string{"?"}},
	{"keys.save", []string{"mod", "S"}},
	{"keys.publish", []string{"mod", "Enter"}},
	{"keys.move", []string{"Alt", "↑ ↓ ← →"}},
	{"keys.resize", []string{"shift", "Alt", "↑ ↓ ← →"}},
	{"keys.range", []string{"shift", "click"}},
	{"keys.close", []string{"Esc"}},
}

// keyName returns the label of a key in the language of the page.
func keyName(ctx context.Context, key string) string { return TellOr(ctx, key, "keys.key."+key) }
