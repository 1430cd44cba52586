package bot

import "github.com/sweepbot/sweepbot/matrix"

// PointIDs gives every row of a plan the id that the plan document has for it.
func PointIDs(families []matrix.Family) map[*matrix.Row]string { return pointIDs(families) }
