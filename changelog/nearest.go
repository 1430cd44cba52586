package changelog

// nearest returns the candidate that is closest to text and close enough to
// be what was meant, or "". Ties go to the earlier candidate.
func nearest(text string, candidates []string) string {
	const longest = 200 // nobody names a config with more
	if len(text) > longest {
		return ""
	}
	best, bestDistance := "", 1+max(2, len(text)/5)
	for _, c := range candidates {
		if len(c) > longest || abs(len(c)-len(text)) >= bestDistance {
			continue
		}
		if d := distance(text, c); d < bestDistance {
			best, bestDistance = c, d
		}
	}
	return best
}

// distance is the number of bytes to insert, delete or replace.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := corner
			if a[i] != b[j] {
				cost = 1 + min(corner, row[j], row[j+1])
			}
			corner, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
