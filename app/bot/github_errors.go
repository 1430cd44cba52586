package bot

import (
	"errors"
	"fmt"
	"time"
)

// Errors of GitHub that handlers branch on.
var (
	// ErrNotFound: there is no such thing, or this identity may not see it.
	ErrNotFound = errors.New("not found on GitHub")
	// ErrForbidden: this identity may not do it.
	ErrForbidden = errors.New("forbidden by GitHub")
	// ErrConflict: the thing changed meanwhile, or a rule of the repository
	// forbids it.
	ErrConflict = errors.New("refused by GitHub")
)

// RateLimitError says that a limit ends later than the work may wait.
type RateLimitError struct {
	Until     time.Time
	Secondary bool
}

// Error names the limit and when it ends.
func (e *RateLimitError) Error() string {
	kind := "request quota"
	if e.Secondary {
		kind = "secondary rate limit"
	}
	return fmt.Sprintf("GitHub's %s is used up until %s", kind, e.Until.UTC().Format(time.RFC3339))
}
