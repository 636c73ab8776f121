package api

import (
	"context"
	"errors"
	"strconv"

	"github.com/kalends/kalends/tenancy/jobs"
)

func (p *Platform) listJobs(ctx context.Context, _ Call, in *jobs.Filter) (*Answer, error) {
	page, err := p.jobs.List(ctx, in)
	if err != nil {
		return nil, err
	}
	var links params
	links.length(in.Length())
	links.text("kind", in.Kind.Or(""))
	links.text("state", in.State.Or(""))
	links.text("site", in.Site.Or(""))
	v := NewView(scopeOf(ctx))
	v.list("jobs", len(page.Items), func(i int) { v.job(page.Items[i]) })
	return v.paged(listing{collection: "jobs", page: in.Number(), perPage: in.Length(), total: page.Total, links: links}, 0), nil
}

func (p *Platform) getJob(ctx context.Context, c Call, _ *Nothing) (*Answer, error) {
	job, err := p.jobs.Get(ctx, c.Key.ID)
	return jobAnswer(ctx, job, err)
}

func (p *Platform) cancelJob(ctx context.Context, c Call, _ *Nothing) (*Answer, error) {
	job, err := p.jobs.Cancel(ctx, c.Key.ID)
	return jobAnswer(ctx, job, err)
}

func (p *Platform) exportSite(ctx context.Context, c Call, _ *Nothing) (*Answer, error) {
	job, err := p.jobs.Export(ctx, c.Key.Slug, jobs.KeepExport)
	return startedAnswer(ctx, job, err)
}

// importSite imports the archive in the request body.
func (p *Platform) importSite(ctx context.Context, c Call, in *jobs.ImportFields) (*Answer, error) {
	job, err := p.jobs.Import(ctx, c.body, in)
	return uploadAnswer(ctx, job, err)
}

// restoreSite replaces a site with the contents of the archive in the request body.
func (p *Platform) restoreSite(ctx context.Context, c Call, _ *Nothing) (*Answer, error) {
	job, err := p.jobs.RestoreFile(ctx, c.Key.Slug, c.body)
	return uploadAnswer(ctx, job, err)
}

// uploadAnswer is startedAnswer for requests whose body is an archive.
func uploadAnswer(ctx context.Context, job *jobs.Job, err error) (*Answer, error) {
	if errors.Is(err, jobs.ErrTooLarge) {
		err = ErrTooLarge
	}
	return startedAnswer(ctx, job, err)
}

// jobArchive returns the archive of an export.
func (p *Platform) jobArchive(ctx context.Context, c Call, _ *Nothing) (*Answer, error) {
	job, content, err := p.jobs.Open(ctx, c.Key.ID)
	if err != nil {
		return nil, err
	}
	name := job.Site + "-" + job.Finished.Format("20060102T150405Z") + ".kalends.zip"
	return &Answer{ETag: `"` + job.SHA256 + `"`, file: &file{content: content, size: job.Bytes, mime: zipType, name: name}}, nil
}

func jobAnswer(ctx context.Context, job *jobs.Job, err error) (*Answer, error) {
	if err != nil {
		return nil, err
	}
	v := NewView(scopeOf(ctx))
	v.job(job)
	return v.Answer(0), nil
}

// startedAnswer returns the job that a request started.
func startedAnswer(ctx context.Context, job *jobs.Job, err error) (*Answer, error) {
	answer, err := jobAnswer(ctx, job, err)
	if err == nil {
		answer.Location = scopeOf(ctx).Base.API() + jobPath(job)
	}
	return answer, err
}

func jobPath(j *jobs.Job) string { return "/jobs/" + strconv.FormatInt(j.ID, 10) }

// job writes a job. Its progress is null before it is started.
func (v *View) job(j *jobs.Job) {
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
	v.limit("bytes_total", total)
	v.instant("created", j.Created)
	v.instant("started", j.Started)
	v.instant("finished", j.Finished)
	v.instant("expires", j.Expires)
	if p := j.Problem; p != nil {
		v.Raw("problem", string(Failure{Status: p.Status, Code: p.Code, Err: p.Problems()}.JSON(v.Scope.Language)))
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
