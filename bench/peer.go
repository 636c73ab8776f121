package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/redis/go-redis/v9"
)

// Environment variables of the peers.
const (
	peerAddr     = "BENCH_ADDR"
	peerDir      = "BENCH_DIR" // with captured responses
	peerDatabase = "BENCH_DATABASE_URL"
	peerRedis    = "BENCH_REDIS_URL"
)

// redisKey is the Redis key of the list.
const redisKey = "bench:list"

// Files with captured responses for the raw peer.
const (
	listFile   = "list.json"
	packedFile = "list.json.gz"
	singleFile = "single.json"
	tagFile    = "list.etag"
)

// runPeer runs one peer: raw, redis, plain or memory.
func runPeer(ctx context.Context, kind string) error {
	app := newApp()
	app.Get("/readyz", func(c *fiber.Ctx) error { return c.SendString("ok\n") })
	var err error
	switch kind {
	case "raw":
		err = rawRoutes(app, os.Getenv(peerDir))
	case "redis":
		err = redisRoutes(app, os.Getenv(peerRedis))
	case "plain":
		err = plainRoutes(ctx, app, os.Getenv(peerDatabase), false)
	case "memory":
		err = plainRoutes(ctx, app, os.Getenv(peerDatabase), true)
	default:
		err = fmt.Errorf("no peer %q", kind)
	}
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", os.Getenv(peerAddr))
	if err != nil {
		return err
	}
	go func() {
		<-ctx.Done()
		_ = app.ShutdownWithTimeout(time.Second)
	}()
	return app.Listener(listener)
}

// newApp returns Fiber with the configuration of Kalends.
func newApp() *fiber.App {
	return fiber.New(fiber.Config{
		AppName:                      "peer",
		Immutable:                    true,
		DisableStartupMessage:        true,
		DisablePreParseMultipartForm: true,
		BodyLimit:                    21 << 20,
		ReadBufferSize:               16 << 10,
		WriteBufferSize:              16 << 10,
		ReadTimeout:                  30 * time.Second,
		WriteTimeout:                 60 * time.Second,
		IdleTimeout:                  90 * time.Second,
		EnableTrustedProxyCheck:      true,
		ProxyHeader:                  fiber.HeaderXForwardedFor,
	})
}

const contentType = "application/json; charset=UTF-8"

// rawRoutes returns captured bytes with minimal processing. For 304 it compares the tag, without which there is no
// such response.
func rawRoutes(app *fiber.App, dir string) error {
	captured := map[string][]byte{}
	for _, name := range []string{listFile, packedFile, singleFile, tagFile} {
		var err error
		if captured[name], err = os.ReadFile(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	answer := func(body []byte, encoding string) fiber.Handler {
		return func(c *fiber.Ctx) error {
			c.Response().Header.SetContentType(contentType)
			if encoding != "" {
				c.Response().Header.SetContentEncoding(encoding)
			}
			c.Response().SetBodyRaw(body)
			return nil
		}
	}
	app.Get("/list", answer(captured[listFile], ""))
	app.Get("/packed", answer(captured[packedFile], "gzip"))
	app.Get("/single", answer(captured[singleFile], ""))
	tag := string(captured[tagFile])
	app.Get("/unchanged", func(c *fiber.Ctx) error {
		if string(c.Request().Header.Peek(fiber.HeaderIfNoneMatch)) != tag {
			return fiber.ErrBadRequest
		}
		c.Response().Header.Set(fiber.HeaderETag, tag)
		c.Response().SetStatusCode(fiber.StatusNotModified)
		return nil
	})
	return nil
}

// redisRoutes fetches the same bytes from Redis for each request.
func redisRoutes(app *fiber.App, url string) error {
	o, err := redis.ParseURL(url)
	if err != nil {
		return err
	}
	client := redis.NewClient(o)
	app.Get("/list", func(c *fiber.Ctx) error {
		body, err := client.Get(c.UserContext(), redisKey).Bytes()
		if err != nil {
			return err
		}
		c.Response().Header.SetContentType(contentType)
		c.Response().SetBodyRaw(body)
		return nil
	})
	return nil
}

// putRedis stores the list in Redis; without a list it only waits for Redis.
func (b *bench) putRedis(ctx context.Context, list []byte) error {
	o, err := redis.ParseURL(b.redis)
	if err != nil {
		return err
	}
	client := redis.NewClient(o)
	defer client.Close()
	for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if err = client.Ping(ctx).Err(); err == nil || time.Now().After(deadline) {
			break
		}
	}
	if err == nil && list != nil {
		err = client.Set(ctx, redisKey, list, 0).Err()
	}
	return err
}

// startPeers captures Kalends's responses and starts the peers.
func (b *bench) startPeers(ctx context.Context) error {
	list, err := b.capture(ctx)
	if err != nil {
		return err
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	start := func(into **process, kind string) {
		if err == nil {
			*into, err = b.launch(ctx, kind, peerAddr, []string{peerDir + "=" + b.dir, peerDatabase + "=" + b.mainURL,
				peerRedis + "=" + b.redis}, program, "peer", kind)
		}
	}
	start(&b.rawPeer, "raw")
	start(&b.plainPeer, "plain")
	start(&b.memoryPeer, "memory")
	if b.redis != "" {
		if err == nil {
			err = b.putRedis(ctx, list)
		}
		start(&b.redisPeer, "redis")
	}
	return err
}
