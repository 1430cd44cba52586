package changelog

import "github.com/sweepbot/sweepbot/internal/spelling"

// nearest returns the candidate that is closest to text and close enough to
// be what was meant, or "". Ties go to the earlier candidate.
func nearest(text string, candidates []string) string {
	if len(text) > spelling.Longest {
		return "" // nobody names a config with more
	}
	return spelling.Nearest(text, candidates, max(2, len(text)/5))
}
