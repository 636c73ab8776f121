package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/api/wordpress"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/changes"
	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/calendar/sources"
	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/calendar/webhooks"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/tenancy/jobs"
	"github.com/kalends/kalends/tenancy/platform"
)

// outcome is one line of the table of errors. If the code depends on the resource, per contains the exceptions.
type outcome struct {
	err    error
	status int
	code   string
	per    map[string]string // resource → code, takes precedence over code
}

// outcomes maps errors to statuses and codes (rule 4.1). The first match counts.
var outcomes = []outcome{
	{err: api.ErrTooLarge, status: 413, code: "rest_content_too_large"},
	{err: api.ErrMediaType, status: 400, code: "rest_bad_request"},
	{err: api.ErrUnreadable, status: 415, code: "rest_unsupported_media_type"},
	{err: api.ErrNotHierarchical, status: 400, code: "rest_taxonomy_not_hierarchical"},
	{err: wordpress.ErrPageNumber, status: 400, code: "rest_post_invalid_page_number"},
	{err: wordpress.ErrNoTrash, status: 501, code: "rest_trash_not_supported"},
	{err: api.ErrKeyReused, status: 422, code: "idempotency-key-reused"},
	{err: api.ErrKeyInUse, status: 409, code: "idempotency-key-in-use"},
	{err: services.ErrFromSource, status: 409, code: "from-source"},
	{err: sources.ErrNoSource, status: 404, code: "rest-source-not-found"},
	{err: webhooks.ErrNoWebhook, status: 404, code: "rest-webhook-not-found"},
	{err: webhooks.ErrNoDelivery, status: 404, code: "rest-delivery-not-found"},
	{err: changes.ErrExpired, status: 410, code: "sync-token-expired"},
	{err: api.ErrNoRoute, status: 404, code: "rest_no_route"},
	{err: api.ErrMethod, status: 405, code: "rest_method_not_allowed"},
	{err: errNoMethod, status: 501, code: "rest_method_not_allowed"},
	{err: tenancy.ErrCredentials, status: 401, code: "rest_invalid_credentials"},
	{err: tenancy.ErrUnauthenticated, status: 401, code: "rest_forbidden"},
	{err: tenancy.ErrForbidden, status: 403, code: "rest_forbidden"},
	{err: tenancy.ErrKeyMayNot, status: 403, code: "not-with-a-key"},
	{err: tenancy.ErrNoSite, status: 404, code: "site-not-found", per: map[string]string{"site": "rest_site_not_found",
		"user": "rest_site_not_found", "audit": "rest_site_not_found", "key": "rest_site_not_found", "domain": "rest_site_not_found",
		"job":  "rest_site_not_found",
		"plan": "rest_plan_not_found"}},
	{err: imports.ErrNoImport, status: 404, code: "rest-import-not-found"},
	{err: imports.ErrUndone, status: 409, code: "import-undone"},
	{err: imports.ErrRunning, status: 409, code: "import-running"},
	{err: imports.ErrNotDry, status: 409, code: "import-not-dry-run"},
	{err: imports.ErrTooLate, status: 409, code: "import-not-undoable"},
	{err: imports.ErrNoFile, status: 410, code: "import-file-gone"},
	{err: imports.ErrMany, status: 429, code: "rest_too_many_requests"},
	{err: jobs.ErrNoJob, status: 404, code: "rest_job_not_found"},
	{err: jobs.ErrNoArchive, status: 404, code: "job_without_archive"},
	{err: jobs.ErrExporting, status: 409, code: "export_under_way"},
	{err: jobs.ErrRestoring, status: 409, code: "restore_under_way"},
	{err: api.ErrRange, status: 416, code: "rest_range_not_satisfiable"},
	{err: platform.ErrManySearches, status: 503, code: "rest_service_unavailable"},
	{err: platform.ErrNoField, status: 404, code: "rest-field-not-found"},
	{err: platform.ErrNoDomain, status: 404, code: "rest_domain_not_found"},
	{err: platform.ErrNoPlan, status: 404, code: "rest_plan_not_found"},
	{err: platform.ErrPlanInUse, status: 409, code: "plan_in_use"},
	{err: platform.ErrDefaultPlan, status: 409, code: "plan_is_default"},
	{err: tenancy.ErrReadOnly, status: 403, code: "site-read-only"},
	{err: tenancy.ErrClosed, status: 403, code: "site-closed"},
	{err: accounts.ErrLastAdministrator, status: 409, code: "last_administrator"},
	{err: accounts.ErrNoUser, status: 404, code: "rest_user_not_found", per: map[string]string{"job": "rest_job_not_found",
		"key": "rest_key_not_found"}},
	{err: accounts.ErrNoKey, status: 404, code: "rest_key_not_found"},
	{err: calendar.ErrWrongType, status: 404, code: "rest_no_route", per: map[string]string{"event": "rest-invalid-event-id",
		"venue": "rest-venue-not-found", "organizer": "rest-organizer-not-found", "image": "rest-image-not-found",
		"post": "rest_post_invalid_id", "picture": "rest_post_invalid_id"}},
	{err: submissions.ErrNoSubmissions, status: 403, code: "submissions-closed"},
	{err: submissions.ErrUnconfirmed, status: 409, code: "submission-not-confirmed"},
	{err: submissions.ErrSettled, status: 409, code: "submission-decided"},
	{err: submissions.ErrManySent, status: 429, code: "rest_too_many_requests"},
	{err: submissions.ErrLetter, status: 503, code: "letter-not-sent"},
	{err: calendar.ErrNotFound, status: 404, code: "rest_no_route", per: map[string]string{"event": "rest-event-not-found",
		"venue": "rest-venue-not-found", "organizer": "rest-organizer-not-found", "category": "rest_term_invalid",
		"tag": "rest_term_invalid", "image": "rest-image-not-found", "user": "rest_user_not_found",
		"submission": "rest-submission-not-found", "source": "rest-source-not-found", "webhook": "rest-webhook-not-found",
		"post": "rest_post_invalid_id", "picture": "rest_post_invalid_id",
		"site": "rest_site_not_found"}},
	{err: calendar.ErrGone, status: 410, code: "event-is-in-trash", per: map[string]string{"venue": "venue-is-in-trash",
		"organizer": "organizer-is-in-trash"}},
	{err: calendar.ErrTrashed, status: 403, code: "event-no-longer-available", per: map[string]string{"post": "rest_forbidden"}},
	{err: calendar.ErrNotReadable, status: 403, code: "event-not-accessible", per: map[string]string{
		"venue": "venue-not-accessible", "organizer": "organizer-not-accessible", "post": "rest_forbidden"}},
	{err: calendar.ErrPassword, status: 403, code: "event-password-protected"},
	{err: calendar.ErrPrecondition, status: 412, code: "rest_precondition_failed"},
	{err: calendar.ErrPage, status: 404, code: "event-archive-page-not-found", per: map[string]string{
		"venue": "venue-archive-page-not-found", "organizer": "organizer-archive-page-not-found"}},
	{err: calendar.ErrSlugTaken, status: 400, code: "duplicate_term_slug"},
	{err: syscall.ENOSPC, status: 507, code: "rest_insufficient_storage"},
	{err: syscall.EDQUOT, status: 507, code: "rest_insufficient_storage"},
	{err: calendar.ErrUnavailable, status: 503, code: "rest_service_unavailable"},
	{err: calendar.ErrGuesses, status: 429, code: "rest_too_many_requests"},
	{err: errTooMany, status: 429, code: "rest_too_many_requests"},
	{err: errBusy, status: 503, code: "rest_service_unavailable"},
	{err: context.DeadlineExceeded, status: 503, code: "rest_service_unavailable"},
	{err: context.Canceled, status: 503, code: "rest_service_unavailable"},
}

// explain finds what an error means to clients. Unlisted errors are internal: 500, without disclosing their text.
func explain(err error) api.Failure {
	if refused, ok := errors.AsType[*jobs.Refused](err); ok {
		return api.Failure{Status: refused.Problem.Status, Code: refused.Problem.Code, Err: refused.Problem.Problems()}
	}
	if problems, ok := errors.AsType[*args.Problems](err); ok {
		code := "rest_invalid_param"
		if len(problems.Absent()) > 0 {
			code = "rest_missing_callback_param"
		}
		return api.Failure{Status: 400, Code: code, Err: problems}
	}
	if broken, ok := errors.AsType[*api.JSONError](err); ok {
		return api.Failure{Status: 400, Code: "rest_invalid_json", Broken: broken}
	}
	if shown, ok := errors.AsType[*api.SecretShownError](err); ok {
		return api.Failure{Status: 409, Code: "idempotency-secret-shown", ID: shown.ID}
	}
	if closed, ok := errors.AsType[*tenancy.AccessError](err); ok {
		return api.Failure{Status: 403, Code: "insufficient-scope", Access: closed}
	}
	if exists, ok := errors.AsType[*calendar.ExistsError](err); ok {
		return api.Failure{Status: 400, Code: "term_exists", TermID: exists.ID}
	}
	if limit, ok := errors.AsType[*tenancy.LimitError](err); ok {
		return api.Failure{Status: 403, Code: "limit_reached", Limit: limit}
	}
	if _, ok := errors.AsType[*calendar.BusyError](err); ok {
		return api.Failure{Status: 429, Code: "images-busy"}
	}
	var resource api.ResourceError
	if at := (*api.ResourceError)(nil); errors.As(err, &at) {
		resource = *at
	}
	for _, o := range outcomes {
		if errors.Is(err, o.err) {
			return o.failure(resource)
		}
	}
	return transport(err)
}

func (o outcome) failure(r api.ResourceError) api.Failure {
	f := api.Failure{Status: o.status, Code: o.code, Data: map[string]any{"ID": r.ID}}
	if code := o.per[r.Resource]; code != "" {
		f.Code = code
	}
	if f.Code == "rest-invalid-event-id" {
		f.Status = 400
	}
	return f
}

// transport maps the errors of HTTP itself.
func transport(err error) api.Failure {
	var f *fiber.Error
	if !errors.As(err, &f) {
		return api.Failure{Status: 500, Code: "internal_server_error"}
	}
	codes := map[int]string{404: "rest_no_route", 405: "rest_method_not_allowed", 413: "rest_content_too_large",
		408: "rest_request_timeout", 431: "rest_bad_request"}
	code := codes[f.Code]
	switch {
	case code != "":
	case f.Code == http.StatusBadGateway: // Fiber's status for a connection that broke during a request: nobody reads the response
		return api.Failure{Status: 400, Code: "rest_bad_request"}
	case f.Code >= http.StatusInternalServerError:
		return api.Failure{Status: 500, Code: "internal_server_error"}
	default:
		code = "rest_bad_request"
	}
	return api.Failure{Status: f.Code, Code: code}
}

// challenge returns the authentication schemes of an address (RFC 9110 §11.6.1).
func challenge(path string) string {
	if strings.HasPrefix(path, "/platform/") {
		return `Bearer realm="Kalends"`
	}
	return `Basic realm="Kalends", charset="UTF-8"`
}

// fail responds to a failed request. It is the app's error handler.
func (s *server) fail(c *fiber.Ctx, err error) error {
	f := explain(err)
	scope := tenancy.Current(c.UserContext())
	language := scope.Language
	if language == "" {
		language = s.language(c)
	}
	n := noteOf(c)
	n.full = f.Limit != nil
	switch {
	case errors.Is(err, errBusy), f.Code == "images-busy":
		s.Metrics.Refused("busy") // expected and numerous, so the request log suffices
	case errors.Is(err, errTooMany):
		s.Metrics.Refused("limit")
	case f.Status >= http.StatusInternalServerError && f.Status != http.StatusNotImplemented:
		s.Logger.ErrorContext(c.UserContext(), "request failed", "id", n.request(c), "status", f.Status,
			"error", err.Error(), "trace", n.traced())
	}
	retryAfter(c, f.Status, err)
	a := readAddress(c)
	unread := f.Status == http.StatusRequestHeaderFieldsTooLarge // the requested content type is unknown, and people can read JSON
	if !unread && a.asksForPage(c) {
		return s.failPage(c, err, f.Status, language)
	}
	if unread || a.namespace != "" {
		s.headers(c) // also for requests rejected before they reach the API
	}
	c.Response().ResetBody()
	c.Response().Header.Del(fiber.HeaderETag)
	c.Set(fiber.HeaderCacheControl, "private, no-store")
	c.Set(fiber.HeaderContentLanguage, language)
	c.Set(fiber.HeaderContentType, "application/json; charset=UTF-8")
	c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	if f.Status == http.StatusUnauthorized {
		c.Set(fiber.HeaderWWWAuthenticate, challenge(c.Path()))
	}
	return c.Status(f.Status).Send(f.JSON(language))
}

// later is the reason to reject a request now, and the time after which to retry.
type later struct {
	why  error
	next time.Duration
}

func (e *later) Error() string { return fmt.Sprintf("%v, again in %s", e.why, e.next) }
func (e *later) Unwrap() error { return e.why }

// retryAfter sets Retry-After where retrying makes sense.
func retryAfter(c *fiber.Ctx, status int, err error) {
	var refused *later
	var full *accounts.WaitError
	var images *calendar.BusyError
	switch {
	case errors.Is(err, api.ErrKeyInUse):
		c.Set(fiber.HeaderRetryAfter, "1")
	case errors.As(err, &images):
		c.Set(fiber.HeaderRetryAfter, strconv.Itoa(max(1, seconds(images.Wait))))
	case errors.As(err, &refused):
		c.Set(fiber.HeaderRetryAfter, strconv.Itoa(max(1, seconds(refused.next))))
	case errors.As(err, &full):
		c.Set(fiber.HeaderRetryAfter, strconv.Itoa(max(1, seconds(full.Wait))))
	case errors.Is(err, submissions.ErrManySent):
		c.Set(fiber.HeaderRetryAfter, "3600")
	case errors.Is(err, calendar.ErrGuesses):
		c.Set(fiber.HeaderRetryAfter, "60")
	case status == http.StatusServiceUnavailable:
		c.Set(fiber.HeaderRetryAfter, "5")
	}
}

// asksForPage reports whether a person with a browser waits for the response: at an address of the pages, or at one
// that belongs to nothing.
func (a *address) asksForPage(c *fiber.Ctx) bool {
	return a.page || a.admin || !a.site && !strings.HasPrefix(c.Path(), "/platform/") &&
		strings.Contains(c.Get(fiber.HeaderAccept), fiber.MIMETextHTML)
}

// failPage responds with an error page.
func (s *server) failPage(c *fiber.Ctx, err error, status int, language string) error {
	c.Response().ResetBody()
	c.Response().Header.Del(fiber.HeaderETag)
	c.SetUserContext(context.WithoutCancel(c.UserContext())) // the request's own context has ended
	a, n := readAddress(c), noteOf(c)
	if a.page && n.found != nil && tenancy.Current(c.UserContext()).Site == nil { // refused before the request had a scope
		scope := s.scopeOf(n, a)
		scope.Base.Port, scope.Site = listenerPort(c, scope.Base.Host()), n.found
		speakOn(c, &scope, a)
		c.SetUserContext(tenancy.With(c.UserContext(), scope))
		language = scope.Language
	}
	c.Set(fiber.HeaderContentLanguage, language)
	return s.pages.Fail(c, err, status, language)
}
