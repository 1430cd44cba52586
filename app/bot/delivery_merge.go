package bot

import "context"

// MergedPull returns the pull request that a push merged, nil for none that
// GitHub agrees to.
func MergedPull(ctx context.Context, gh GitHub, push *Push) (*PullRequest, error) {
	return (&Bot{GitHub: gh}).mergedBy(ctx, push)
}
