package platform

import (
	"context"
	"net/http"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
)

// ask tells a proxy whether to request a certificate for a name: 200 for the domain of a site that is not closed,
// otherwise 404, without a body. It responds on any host, because the proxy sends the request within its own
// network.
func (p *API) ask(c *fiber.Ctx) error {
	c.Set(fiber.HeaderCacheControl, "no-store")
	serves, err := p.platform.Resolver.Serves(c.UserContext(), c.Query("domain"))
	switch {
	case err != nil:
		return err
	case serves:
		c.Status(http.StatusOK)
	default:
		c.Status(http.StatusNotFound)
	}
	return nil
}

func (p *API) listDomains(ctx context.Context, c api.Call, _ *api.Nothing) (*api.Answer, error) {
	inside, err := p.inside(ctx, c)
	if err != nil {
		return nil, err
	}
	list, err := p.platform.Domains.List(inside)
	if err != nil {
		return nil, err
	}
	v, target := newView(ctx), p.target(inside)
	v.List("domains", len(list), func(i int) { v.domain(&platform.Check{Domain: list[i]}, target, "") })
	v.Close('}')
	return v.Answer(0), nil
}

func (p *API) claimDomain(ctx context.Context, c api.Call, in *platform.DomainFields) (*api.Answer, error) {
	inside, err := p.inside(ctx, c)
	if err != nil {
		return nil, err
	}
	made, err := p.platform.Domains.Claim(inside, in)
	if err != nil {
		return nil, err
	}
	answer := domainAnswer(ctx, &platform.Check{Domain: *made}, p.target(inside), "")
	answer.Location = tenancy.Current(ctx).Base.API() + "/sites/" + c.Key.Slug + "/domains"
	return answer, nil
}

func (p *API) checkDomain(ctx context.Context, c api.Call, _ *api.Nothing) (*api.Answer, error) {
	inside, err := p.inside(ctx, c)
	if err != nil {
		return nil, err
	}
	found, err := p.platform.Domains.Check(inside, c.Domain)
	if err != nil {
		return nil, err
	}
	points, err := p.platform.Domains.Point(inside, c.Domain)
	if err != nil {
		return nil, err
	}
	return domainAnswer(ctx, found, p.target(inside), points.Direction), nil
}

func (p *API) deleteDomain(ctx context.Context, c api.Call, _ *api.Nothing) (*api.Answer, error) {
	inside, err := p.inside(ctx, c)
	if err != nil {
		return nil, err
	}
	last, err := p.platform.Domains.Remove(inside, c.Domain)
	if err != nil {
		return nil, err
	}
	return domainAnswer(ctx, &platform.Check{Domain: *last}, p.target(inside), ""), nil
}

// target returns where the domains of the scope's site should point.
func (p *API) target(inside context.Context) string {
	return p.platform.Domains.Target(tenancy.Current(inside).Site)
}

func domainAnswer(ctx context.Context, d *platform.Check, target string, points platform.Direction) *api.Answer {
	v := newView(ctx)
	v.domain(d, target, points)
	return v.Answer(0)
}

// domain writes a domain: where it should point and where it does, how to verify it unless that is done, and the result of the
// last check.
func (v view) domain(d *platform.Check, target string, points platform.Direction) {
	v.Item()
	v.Text("domain", d.Name)
	v.Text("state", string(d.State()))
	v.Text("target", target)
	v.Some("points", string(points))
	if d.By != "" {
		v.Text("proved_by", string(d.By))
		v.Instant("proved", d.Proved)
		v.Close('}')
		return
	}
	v.Instant("asked", d.Asked)
	v.Instant("ends", d.Ends())
	v.Instant("checked", d.Checked)
	name, value := d.Record()
	v.Open("dns", '{')
	v.Text("name", name)
	v.Text("type", "TXT")
	v.Text("value", value)
	v.Some("found", string(d.DNS))
	v.Close('}')
	v.Open("http", '{')
	v.Text("url", d.Page())
	v.Text("content", d.Token)
	v.Some("found", string(d.HTTP))
	v.Close('}')
	v.Close('}')
}
