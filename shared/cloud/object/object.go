// Package object reads objects of S3. It makes the one call by itself, as package parameter does: the SDK's
// client would cost every start of a function more than the call.
package object

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
)

// timeout bounds a read.
const timeout = 15 * time.Second

// A Bucket is a bucket of S3. It is safe for concurrent use.
type Bucket struct {
	address string // with a slash at its end
	config  aws.Config
}

// New returns the bucket of a name. The configuration is that of the service S3.
func New(name string, config aws.Config) *Bucket {
	address := "https://s3." + config.Region + ".amazonaws.com"
	if config.BaseEndpoint != nil {
		address = strings.TrimRight(*config.BaseEndpoint, "/")
	}
	return &Bucket{address + "/" + url.PathEscape(name) + "/", config}
}

// Get returns the content of an object, whose key has no characters but letters, digits, - and /. An object
// of more than maxBytes is an error.
func (b *Bucket) Get(ctx context.Context, key string, maxBytes int64) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	credentials, err := b.config.Credentials.Retrieve(ctx)
	if err != nil {
		return nil, fmt.Errorf("object: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, b.address+key, nil)
	if err != nil {
		return nil, fmt.Errorf("object: %w", err)
	}
	empty := sha256.Sum256(nil)
	hash := hex.EncodeToString(empty[:])
	req.Header.Set("X-Amz-Content-Sha256", hash)
	err = v4.NewSigner().SignHTTP(ctx, credentials, req, hash, "s3", b.config.Region, time.Now())
	if err != nil {
		return nil, fmt.Errorf("object: %w", err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("object: %s: %w", key, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("object: %s: S3 answered %d", key, resp.StatusCode)
	}
	content, err := io.ReadAll(io.LimitReader(resp.Body, maxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("object: %s: %w", key, err)
	}
	if int64(len(content)) > maxBytes {
		return nil, fmt.Errorf("object: %s has more than %d bytes", key, maxBytes)
	}
	return content, nil
}
