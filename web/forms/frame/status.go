package frame

import (
	"context"
	"strings"

	"github.com/kalends/kalends/tenancy"
)

// Statuses are the statuses that the user may give to an item, and the form's present status.
func Statuses(ctx context.Context, f *Form) []string {
	list := []string{"draft", "pending"}
	if May(ctx, Publishing) {
		list = []string{"publish", "draft", "pending", "private"}
	}
	if now := f.Get("status"); now != "" && now != list[0] && !strings.Contains(strings.Join(list, " "), now) {
		list = append(list, now)
	}
	return list
}

// Publishing is the right to publish.
const Publishing = tenancy.EditOwn | tenancy.Publish
