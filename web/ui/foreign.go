package ui

import (
	"context"

	"github.com/a-h/templ"

	"github.com/kalends/kalends/tenancy"
)

// Foreign are the attributes of an element whose text is in a language, none if that is
// the page's own or isn't known. Its direction is left to what it says.
func Foreign(ctx context.Context, language string) templ.Attributes {
	if language == "" || language == tenancy.Current(ctx).Language {
		return nil
	}
	return templ.Attributes{"lang": language}
}
