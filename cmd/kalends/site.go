package main

import (
	"context"
	"fmt"
	"reflect"
	"strconv"

	platformapi "github.com/kalends/kalends/api/platform"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
)

// siteCommand groups the provider's commands for sites.
type siteCommand struct {
	Create   siteCreate   `cmd:"" help:"Create a site."`
	List     siteList     `cmd:"" help:"List the sites."`
	Show     siteShow     `cmd:"" help:"Show a site."`
	Top      siteTop      `cmd:"" help:"Show which sites keep the nodes busy."`
	Requests siteRequests `cmd:"" help:"Show requests of sites, refusals and errors."`
	Support  siteSupport  `cmd:"" help:"Print who signed in as support, newest first."`
	Update   siteUpdate   `cmd:"" help:"Change a site; settings you omit stay as they are."`
	SignIn   siteSignIn   `cmd:"" name:"sign-in" help:"Show how people sign in, and allow passwords again."`
	Audit    siteAudit    `cmd:"" help:"Print the history of a site, newest first."`
	Suspend  siteSuspend  `cmd:"" help:"Make a site read-only."`
	Resume   siteResume   `cmd:"" help:"Make a suspended or closed site active again."`
	Close    siteClose    `cmd:"" help:"Close a site to everyone."`
	Undelete siteUndelete `cmd:"" help:"Restore a deleted site."`
	Domain   siteDomain   `cmd:"" help:"A site's own domains."`
	Delete   siteDelete   `cmd:"" help:"Close a site and permanently delete it after some days."`
	Export   siteExport   `cmd:"" help:"Export a whole site to one archive."`
	Import   siteImport   `cmd:"" help:"Create a site from an archive."`
}

type siteCreate struct {
	Slug     string   `arg:"" help:"First label of its host name."`
	Name     string   `required:"" help:"Its name."`
	Timezone *string  `placeholder:"ZONE" help:"IANA name of its time zone."`
	Language *string  `placeholder:"TAG" help:"Language of its interface."`
	Domain   []string `means:"domains" help:"Its own domains."`
}

type (
	siteShow struct {
		Slug string `arg:"" help:"The site."`
	}
	siteDelete struct {
		Slug  string `arg:"" help:"The site."`
		Grace int    `default:"30" help:"Days until it is permanently deleted; 0 deletes it immediately."`
		Yes   bool   `help:"Confirm the deletion."`
	}
)

// Run implements the command.
func (c *siteCreate) Run(p *program) error {
	values := args.Values{"slug": c.Slug, "name": c.Name, "domains": entries(c.Domain)}
	give(values, "timezone", c.Timezone)
	give(values, "language", c.Language)
	fields, err := p.siteFields(values, args.Creating)
	if err != nil {
		return err
	}
	return p.withSites(func(ctx context.Context, sites *platform.Sites) (any, error) {
		site, err := sites.Create(ctx, fields)
		return p.describe(site), err
	})
}

// Run implements the command.
func (c *siteShow) Run(p *program) error {
	return p.withSites(func(ctx context.Context, sites *platform.Sites) (any, error) {
		site, err := sites.Get(ctx, c.Slug)
		return p.describe(site), err
	})
}

// Run implements the command.
func (c *siteDelete) Run(p *program) error {
	if !c.Yes {
		return invalid(fmt.Errorf("this deletes site %q and everything in it: confirm with --yes", c.Slug))
	}
	fields, err := parse[platform.DeletionFields](args.Values{"grace": strconv.Itoa(c.Grace)}, args.Reading)
	if err != nil {
		return err
	}
	return p.withSites(func(ctx context.Context, sites *platform.Sites) (any, error) {
		site, err := sites.Delete(ctx, c.Slug, fields)
		return p.describe(site), err
	})
}

// parse validates the arguments of a command with the rules of the interface. What it finds wrong is wrong with the
// command line.
func parse[F any](values args.Values, mode args.Mode) (*F, error) {
	fields := new(F)
	return fields, invalid(args.TableOf(reflect.TypeFor[F]()).Parse(values, mode, fields))
}

// siteFields is parse for the arguments of a site, with the rules that depend on the program and its settings.
func (p *program) siteFields(values args.Values, mode args.Mode) (*platform.SiteFields, error) {
	fields, err := parse[platform.SiteFields](values, mode)
	if err != nil {
		return nil, err
	}
	return fields, invalid(platform.CheckSite(fields, i18n.Languages(), p.config.PlatformDomain))
}

// given returns the flags that are set, by argument.
func given(flags map[string]string) args.Values {
	values := args.Values{}
	for name, value := range flags {
		if value != "" {
			values[name] = value
		}
	}
	return values
}

// entries returns the values of a flag as a list argument.
func entries(flag []string) []any {
	list := make([]any, len(flag))
	for i, value := range flag {
		list[i] = value
	}
	return list
}

// withSites opens the installation, acts as the provider and prints the result as JSON.
func (p *program) withSites(do func(context.Context, *platform.Sites) (any, error)) error {
	return p.with(func(ctx context.Context, in *installation) (any, error) { return do(ctx, in.platform.Sites) })
}

func (p *program) with(do func(context.Context, *installation) (any, error)) error {
	in, err := p.join(p.ctx)
	if err != nil {
		return err
	}
	defer in.close()
	result, err := do(provider(p.ctx), in)
	if err != nil {
		return err
	}
	return p.print(result)
}

// on is with inside a site.
func (p *program) on(slug string, do func(context.Context, *installation) (any, error)) error {
	return p.with(func(ctx context.Context, in *installation) (any, error) {
		ctx, err := in.enter(ctx, slug)
		if err != nil {
			return nil, err
		}
		return do(ctx, in)
	})
}

// everyPage lists one page after the other and calls each with every item.
func everyPage[T any](paging *args.Paging, list func() (tenancy.Page[T], error), each func(*T)) error {
	for number, seen := 1, 0; ; number++ {
		paging.Page = args.Some(number)
		page, err := list()
		if err != nil {
			return err
		}
		for _, item := range page.Items {
			each(item)
		}
		if seen += len(page.Items); len(page.Items) == 0 || seen >= page.Total {
			return nil
		}
	}
}

// describe returns the output for a site, which is that of the interface.
func (p *program) describe(s *tenancy.Site) any {
	if s == nil {
		return nil
	}
	return platformapi.SiteObject(s, p.config.PlatformDomain)
}
