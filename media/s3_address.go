package media

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// ParseS3 parses the address of a bucket: https://KEY:SECRET@HOST/BUCKET/PREFIX?region=REGION&style=path. With http,
// the connection is not encrypted. Prefix, region and style (path or host: where a request names the bucket) are
// optional; the default style depends on the host. Errors never contain the address, because it includes a secret.
func ParseS3(address string) (S3Config, error) {
	u, err := url.Parse(address)
	if err != nil {
		return S3Config{}, errors.New("it is not a URL; in key and secret write / as %2F, + as %2B, @ as %40")
	}
	secret, _ := u.User.Password()
	bucket, prefix, _ := strings.Cut(strings.Trim(u.Path, "/"), "/")
	switch {
	case u.Scheme != "https" && u.Scheme != "http":
		return S3Config{}, errors.New("it begins with neither https:// nor http://")
	case u.Host == "" || bucket == "":
		return S3Config{}, errors.New("it has to name a host and a bucket, as in https://KEY:SECRET@HOST/BUCKET")
	case u.User.Username() == "" || secret == "":
		return S3Config{}, errors.New("it has no key with a secret, as in https://KEY:SECRET@HOST/BUCKET")
	case prefix != "" && !plain(prefix):
		return S3Config{}, errors.New("the prefix after the bucket has to consist of plain names")
	}
	c := S3Config{Endpoint: u.Host, Bucket: bucket, Prefix: prefix, AccessKey: u.User.Username(), SecretKey: secret,
		Secure: u.Scheme == "https"}
	return c, c.options(u.RawQuery)
}

// options parses the query, which must not contain unknown parameters.
func (c *S3Config) options(query string) error {
	values, err := url.ParseQuery(query)
	if err != nil {
		return errors.New("the part after the question mark cannot be read")
	}
	for name, list := range values {
		value := list[len(list)-1]
		switch {
		case name == "region":
			c.Region = value
		case name == "style" && (value == "path" || value == "host"):
			c.Style = value
		case name == "style":
			return errors.New("style is neither path nor host")
		default:
			return fmt.Errorf("unknown option %q; the options are region and style", name)
		}
	}
	return nil
}
