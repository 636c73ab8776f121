package storagetest

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"github.com/testcontainers/testcontainers-go"
	tcpostgres "github.com/testcontainers/testcontainers-go/modules/postgres"
	tcredis "github.com/testcontainers/testcontainers-go/modules/redis"
)

const (
	postgresImage = "postgres:17-alpine"
	redisImage    = "redis:7-alpine"
)

// dockerHealthy reports whether Docker answers. Without Docker, the answer takes milliseconds.
func dockerHealthy(ctx context.Context) (healthy bool) {
	defer func() {
		if recover() != nil { // testcontainers panics when it finds no Docker
			healthy = false
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	provider, err := testcontainers.ProviderDocker.GetProvider()
	return err == nil && provider.Health(ctx) == nil
}

// dockerPostgres starts a container; its role is a superuser.
func dockerPostgres(ctx context.Context) (url string, stop func() error, err error) {
	c, err := tcpostgres.Run(ctx, postgresImage,
		tcpostgres.WithDatabase(maintenance), tcpostgres.WithUsername("postgres"), tcpostgres.WithPassword(rand.Text()),
		testcontainers.WithCmd("postgres", "-c", "fsync=off", "-c", "synchronous_commit=off",
			"-c", "full_page_writes=off", "-c", "max_connections=400"),
		tcpostgres.BasicWaitStrategies())
	stop = func() error { return testcontainers.TerminateContainer(c) }
	if err == nil {
		url, err = c.ConnectionString(ctx, "sslmode=disable")
	}
	return url, stop, giveUp(err, stop)
}

// dockerRedis starts a container.
func dockerRedis(ctx context.Context) (url string, stop func() error, err error) {
	c, err := tcredis.Run(ctx, redisImage,
		testcontainers.WithCmd("redis-server", "--save", "", "--databases", fmt.Sprint(redisDatabases)))
	stop = func() error { return testcontainers.TerminateContainer(c) }
	if err == nil {
		url, err = c.ConnectionString(ctx)
	}
	return url, stop, giveUp(err, stop)
}

// giveUp stops a server that was started only in part.
func giveUp(err error, stop func() error) error {
	if err != nil {
		_ = stop() // the first error says more
	}
	return err
}
