// Package embedded runs a private Postgres for kalends serve when no DATABASE_URL is given.
//
// It uses Postgres binaries found on the machine, never downloads any, and keeps everything in one directory:
//
//	lock            held with flock while a kalends uses the directory
//	passwords.json  random passwords of the superuser and of the service role, readable by this user only
//	pgdata/         the data, in the format of the major version named in pgdata/PG_VERSION
//	run/            the unix socket; Postgres listens nowhere else
//
// Data of another major version is an error and is never touched. Nothing here deletes a data directory.
package embedded
