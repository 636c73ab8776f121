package platform

import (
	"context"
	"errors"
	"strconv"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/jobs"
)

func (p *API) listJobs(ctx context.Context, _ api.Call, in *jobs.Filter) (*api.Answer, error) {
	page, err := p.jobs.List(ctx, in)
	if err != nil {
		return nil, err
	}
	var links api.Params
	links.Length(in.Length())
	links.Text("kind", in.Kind.Or(""))
	links.Text("state", in.State.Or(""))
	links.Text("site", in.Site.Or(""))
	v := newView(ctx)
	v.List("jobs", len(page.Items), func(i int) { v.job(page.Items[i]) })
	return v.Paged(api.Listing{Collection: "jobs", Page: in.Number(), PerPage: in.Length(), Total: page.Total, Links: links}, 0), nil
}

func (p *API) getJob(ctx context.Context, c api.Call, _ *api.Nothing) (*api.Answer, error) {
	job, err := p.jobs.Get(ctx, c.Key.ID)
	return jobAnswer(ctx, job, err)
}

func (p *API) cancelJob(ctx context.Context, c api.Call, _ *api.Nothing) (*api.Answer, error) {
	job, err := p.jobs.Cancel(ctx, c.Key.ID)
	return jobAnswer(ctx, job, err)
}

func (p *API) exportSite(ctx context.Context, c api.Call, _ *api.Nothing) (*api.Answer, error) {
	job, err := p.jobs.Export(ctx, c.Key.Slug, jobs.KeepExport)
	return startedAnswer(ctx, job, err)
}

// importSite imports the archive in the request body.
func (p *API) importSite(ctx context.Context, c api.Call, in *jobs.ImportFields) (*api.Answer, error) {
	job, err := p.jobs.Import(ctx, c.Body, in)
	return uploadAnswer(ctx, job, err)
}

// restoreSite replaces a site with the contents of the archive in the request body.
func (p *API) restoreSite(ctx context.Context, c api.Call, _ *api.Nothing) (*api.Answer, error) {
	job, err := p.jobs.RestoreFile(ctx, c.Key.Slug, c.Body)
	return uploadAnswer(ctx, job, err)
}

// uploadAnswer is startedAnswer for requests whose body is an archive.
func uploadAnswer(ctx context.Context, job *jobs.Job, err error) (*api.Answer, error) {
	if errors.Is(err, jobs.ErrTooLarge) {
		err = api.ErrTooLarge
	}
	return startedAnswer(ctx, job, err)
}

// jobArchive returns the archive of an export.
func (p *API) jobArchive(ctx context.Context, c api.Call, _ *api.Nothing) (*api.Answer, error) {
	job, content, err := p.jobs.Open(ctx, c.Key.ID)
	if err != nil {
		return nil, err
	}
	name := job.Site + "-" + job.Finished.Format("20060102T150405Z") + ".kalends.zip"
	return &api.Answer{ETag: `"` + job.SHA256 + `"`, File: &api.File{Content: content, Size: job.Bytes, MIME: api.ZipType, Name: name}}, nil
}

func jobAnswer(ctx context.Context, job *jobs.Job, err error) (*api.Answer, error) {
	if err != nil {
		return nil, err
	}
	v := newView(ctx)
	v.job(job)
	return v.Answer(0), nil
}

// startedAnswer returns the job that a request started.
func startedAnswer(ctx context.Context, job *jobs.Job, err error) (*api.Answer, error) {
	answer, err := jobAnswer(ctx, job, err)
	if err == nil {
		answer.Location = tenancy.Current(ctx).Base.API() + jobPath(job)
	}
	return answer, err
}

func jobPath(j *jobs.Job) string { return "/jobs/" + strconv.FormatInt(j.ID, 10) }

// job writes a job. Its progress is null before it is started.
func (v view) job(j *jobs.Job) {
	v.Item()
	v.Int("id", j.ID)
	v.Text("kind", string(j.Kind))
	v.Text("state", string(j.State))
	v.Text("site", j.Site)
	switch {
	case j.State == jobs.Done:
		v.Int("progress", 1)
	case j.Total > 0:
		v.Float("progress", float64(j.Done)/float64(j.Total))
	default:
		v.Raw("progress", "null")
	}
	v.Int("bytes_done", j.Done)
	var total *int64
	if j.Total > 0 {
		total = &j.Total
	}
	v.Limit("bytes_total", total)
	v.Instant("created", j.Created)
	v.Instant("started", j.Started)
	v.Instant("finished", j.Finished)
	v.Instant("expires", j.Expires)
	if p := j.Problem; p != nil {
		v.Raw("problem", string(api.Failure{Status: p.Status, Code: p.Code, Err: p.Problems()}.JSON(v.Scope.Language)))
	}
	if j.HasArchive() {
		v.Open("archive", '{')
		v.Text("url", v.Root+jobPath(j)+"/archive")
		v.Int("bytes", j.Bytes)
		v.Text("sha256", j.SHA256)
		v.Close('}')
	}
	if j.Kind != jobs.Export && j.State == jobs.Done {
		v.Text("site_url", v.Root+"/sites/"+j.Site)
	}
	v.Close('}')
}
