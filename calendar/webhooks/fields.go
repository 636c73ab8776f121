package webhooks

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar/changes"
	"github.com/kalends/kalends/internal/args"
)

// Fields are the arguments of a webhook.
type Fields struct {
	URL      args.Opt[args.URL]          `arg:"url,required,nonempty,nonull"`
	Events   args.Opt[args.Texts]        `arg:"events,required,nonull,entries=50"`
	Filter   args.Opt[args.TextOrObject] `arg:"filter"`
	Payload  args.Opt[string]            `arg:"payload,default=thin,enum=thin|full,nonull"`
	Language args.Opt[string]            `arg:"language,max=35"`
	Active   args.Opt[bool]              `arg:"active,default=true,nonull"`
	Ed25519  args.Opt[bool]              `arg:"ed25519,default=false,nonull"`
}

// Check refuses events that do not exist.
func (f *Fields) Check(found *args.Problems) {
	list, given := f.Events.Get()
	if given && len(list) == 0 {
		found.Invalid("events", "problem.empty", nil)
	}
	for _, name := range list {
		if name != Every && !slices.Contains(Names(), name) {
			found.Invalid("events", "problem.enum", map[string]any{"Allowed": strings.Join(append(Names(), Every), ", ")})
			return
		}
	}
}

// apply sets the fields of a webhook. It returns *args.Problems for an address that must not be used, an invalid filter, or an
// unknown language.
func (s *Service) apply(ctx context.Context, w *Webhook, f *Fields) error {
	found := &args.Problems{}
	if address, given := f.URL.Get(); given {
		w.URL = string(address)
		s.checkAddress(w.URL, found)
	}
	if list, given := f.Events.Get(); given {
		w.Events = distinct(list)
	}
	f.Payload.Patch(&w.Payload, Thin)
	f.Language.Patch(&w.Language, "")
	if w.Language != "" && !slices.Contains(s.languages, w.Language) {
		found.Invalid("language", "problem.language", map[string]any{"Allowed": strings.Join(s.languages, ", ")})
	}
	if f.Filter.Given() {
		given, _ := f.Filter.Get()
		filter, err := changes.ReadNarrowing(given.Value)
		if err == nil {
			_, err = filter.Selection(ctx, s.Now())
		}
		if err = found.Add(err); err != nil {
			return err
		}
		w.Filter = filter
	}
	return found.Err()
}

func distinct(list []string) []string {
	var out []string
	for _, one := range list {
		if !slices.Contains(out, one) {
			out = append(out, one)
		}
	}
	return out
}

// checkAddress refuses addresses to which nothing may be sent.
func (s *Service) checkAddress(address string, found *args.Problems) {
	u, err := url.Parse(address)
	switch {
	case err != nil, u.Scheme != "https" && u.Scheme != "http":
		found.Invalid("url", "problem.webhook.url", nil)
	case s.door == nil:
	case s.door.Check(u) != nil:
		found.Invalid("url", "problem.webhook.url", nil)
	}
}
