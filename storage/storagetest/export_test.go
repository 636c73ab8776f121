package storagetest

import "testing"

// Superuser returns the URL of a database for a superuser, or skips the test.
func Superuser(t *testing.T, name string) string {
	t.Helper()
	d := sharedDatabases(t)
	if d.citus != nil || d.cluster.super == nil {
		t.Skip("databases are recycled only by a superuser of a single server")
	}
	address, err := d.cluster.super(name)
	if err != nil {
		t.Fatal(err)
	}
	return address
}
