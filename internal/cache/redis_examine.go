package cache

import (
	"context"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
)

// RedisExamination is what can be observed of a Redis.
type RedisExamination struct {
	Version string
	Policy  string // eviction policy, such as allkeys-lru
	Most    string // memory limit in bytes; "0" for none
}

// CheckAddress returns an error if a redis:// address is malformed.
func CheckAddress(url string) error {
	_, err := redis.ParseURL(url)
	return err
}

// ExamineRedis inspects the Redis at a redis:// address. It returns an error if that fails. It suppresses the log
// lines of the client.
func ExamineRedis(ctx context.Context, url string) (*RedisExamination, error) {
	options, err := redis.ParseURL(url)
	if err != nil {
		return nil, err
	}
	options.DialTimeout, options.MaxRetries = 3*time.Second, -1
	logging.Disable()
	client := redis.NewClient(options)
	defer client.Close()
	info, err := client.Info(ctx).Result()
	if err != nil {
		return nil, err
	}
	e := &RedisExamination{}
	for line := range strings.Lines(info) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		switch name {
		case "redis_version":
			e.Version = value
		case "maxmemory_policy":
			e.Policy = value
		case "maxmemory":
			e.Most = value
		}
	}
	return e, nil
}
