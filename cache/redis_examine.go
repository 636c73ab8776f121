package cache

import (
	"context"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
)

// RedisExamination is what can be seen of a Redis.
type RedisExamination struct {
	Version string
	Policy  string // what goes when it is full, such as allkeys-lru
	Most    string // bytes it may hold; "0" for no bound
}

// CheckAddress returns what is wrong with a redis:// address, by its form.
func CheckAddress(url string) error {
	_, err := redis.ParseURL(url)
	return err
}

// ExamineRedis looks at the Redis behind a redis:// address. It returns why that
// can't be done; the client's own lines, which tell it in passing, go nowhere.
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
