package api

import (
	"net/url"
	"reflect"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/args"
)

// common are the arguments that every route takes: which keys of the answer are
// wanted, and whether what the route doesn't know is refused.
type common struct {
	Fields args.Opt[args.Texts]  `arg:"_fields"`
	Strict args.Opt[args.Truthy] `arg:"strict,default=false"`
	Route  args.Opt[string]      `arg:"rest_route"` // the address itself, where addresses aren't pretty
}

// commonTable is the table of common.
var commonTable = args.TableOf(reflect.TypeFor[common]())

// mostIgnored is how many names X-Kalends-Ignored holds.
const mostIgnored = 20

// ignored says in X-Kalends-Ignored which arguments of a request its route doesn't
// know. Under strict they are refused, each as a problem of its own.
func (r *Route) ignored(c *fiber.Ctx, values args.Values) error {
	var names []string
	for _, name := range r.table.Unknown(values) {
		if commonTable.Field(name) == nil && r.keyed.Field(name) == nil {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	if strictly(values["strict"]) {
		found := &args.Problems{}
		for _, name := range names {
			found.Invalid(name, "problem.unknown", nil)
		}
		return found
	}
	shown := names[:min(len(names), mostIgnored)]
	for i := range shown {
		shown[i] = url.PathEscape(shown[i][:min(len(shown[i]), 64)])
	}
	c.Set("X-Kalends-Ignored", strings.Join(shown, ", "))
	return nil
}

// strictly reads the argument strict.
func strictly(value any) bool {
	asked := &common{}
	err := commonTable.Parse(args.Values{"strict": value}, args.Updating, asked)
	return err == nil && bool(asked.Strict.Or(false))
}
