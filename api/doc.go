package api

import "context"

// doc answers with the OpenAPI document of the interface in the request's
// language.
func (a *API) doc(ctx context.Context, _ call, _ *nothing) (*Answer, error) {
	v := newView(scopeOf(ctx))
	v.raw("openapi", "{}")
	return v.answer(0), nil
}
