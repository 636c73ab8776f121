// Package storagetest gives tests a real Postgres and a real Redis, with nothing to install or configure first.
//
// Postgres is the one TEST_DATABASE_URL names, else a container when Docker is there, else one from the programs
// installed on the machine (see package embedded), on a copy of a migrated data directory that test programs make
// together. Redis is a container, else redis-server, else miniredis. Each is started when the first test of a test
// program asks for it, is shared by its tests, and is stopped by Main:
//
//	func TestMain(m *testing.M) { os.Exit(storagetest.Main(m)) }
//
//	func TestList(t *testing.T) {
//		t.Parallel()
//		pool := connect(t, storagetest.Database(t))
//
// Tests of faults take a server of their own: Cluster for Postgres, RedisProcess for Redis.
package storagetest
