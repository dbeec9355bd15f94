package streams

import (
	"testing"

	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	"github.com/google/go-cmp/cmp"
)

// The conformance suite runs this package against a stream of one shard; real ones split.
func TestParentsFirst(t *testing.T) {
	shard := func(id, parent string) streamtypes.Shard {
		return streamtypes.Shard{ShardId: &id, ParentShardId: &parent}
	}
	given := []streamtypes.Shard{
		shard("grandchild", "child"), shard("other", "gone"), shard("child", "root"), shard("root", ""),
		shard("second child", "root"),
	}
	var got []string
	for _, s := range parentsFirst(given) {
		got = append(got, *s.ShardId)
	}
	want := []string{"root", "child", "grandchild", "other", "second child"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}
