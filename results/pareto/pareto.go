// Package pareto counts the measured points on the frontier of each curve:
// latency in seconds against throughput per GPU (spec/results.md section 11).
package pareto

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results/document"
)

// Recommended is the number of frontier points that a curve should have.
const Recommended = 5

// Status is the verdict on a curve. It is advice: there is no failure.
type Status string

// The statuses.
const (
	Pass Status = "PASS"
	Warn Status = "WARN"
)

// Flag is the point field that restricts a frontier to canonical points.
const Flag = "isOnNormalizedInteractivityFrontier"

// Point is one measured point. X is a latency in seconds, Y tokens/s/GPU; Fields
// are all fields of the point, x and y included.
type Point struct {
	X, Y      float64
	Fields    ordjson.Value
	flagged   bool
	canonical bool
}

// Curve is one series: its key and its points, valid or not.
type Curve struct {
	Key string
	// Points are the valid points, Invalid the number of the others.
	Points  []Point
	Invalid int
}

// Result is the frontier of a curve.
type Result struct {
	Key    string
	Status Status
	// Measured counts all listed points, Invalid those that are no measurement.
	Measured, Invalid int
	// Restricted says that only canonical points were kept.
	Restricted bool
	// Frontier are the kept points, x rising.
	Frontier []Point
}

// NewPoint returns a point, and whether it is valid: both numbers finite and
// above 0.
func NewPoint(fields ordjson.Value) (Point, bool) {
	x, _ := fields.Get("x")
	y, _ := fields.Get("y")
	fx, okX := document.Finite(x)
	fy, okY := document.Finite(y)
	p := Point{X: fx, Y: fy, Fields: fields}
	var flag ordjson.Value
	if flag, p.flagged = fields.Get(Flag); p.flagged {
		p.canonical, _ = document.Bool(flag)
	}
	return p, okX && okY && fx > 0 && fy > 0
}

// Frontier builds the frontier of a curve: by x rising, a point is kept when its
// y is above all before, or equal to the highest at a larger x. When any point of
// the curve, valid or not, carries the flag, only flagged points stay after that.
func (c Curve) Frontier(restricted bool) Result {
	sorted := slices.Clone(c.Points)
	slices.SortStableFunc(sorted, func(a, b Point) int {
		if a.X != b.X {
			return compare(a.X, b.X)
		}
		return compare(b.Y, a.Y)
	})
	r := Result{Key: c.Key, Status: Warn, Measured: len(c.Points) + c.Invalid, Invalid: c.Invalid, Restricted: restricted, Frontier: []Point{}}
	highest, lastX := math.Inf(-1), math.Inf(-1)
	for _, p := range sorted {
		if p.Y > highest || p.Y == highest && p.X > lastX {
			highest, lastX = p.Y, p.X
			r.Frontier = append(r.Frontier, p)
		}
	}
	if restricted {
		r.Frontier = slices.DeleteFunc(r.Frontier, func(p Point) bool { return !p.canonical })
	}
	if r.Invalid == 0 && len(r.Frontier) >= Recommended {
		r.Status = Pass
	}
	return r
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// Document is the result in the form of the reference's tool.
func (r Result) Document() ordjson.Value {
	out := ordjson.Map()
	out.Add("key", ordjson.Str(r.Key))
	out.Add("status", ordjson.Str(string(r.Status)))
	out.Add("measuredPoints", ordjson.Int(int64(r.Measured)))
	out.Add("invalidPoints", ordjson.Int(int64(r.Invalid)))
	out.Add("frontierPoints", ordjson.Int(int64(len(r.Frontier))))
	out.Add("recommendedPoints", ordjson.Int(Recommended))
	out.Add("canonicalRestriction", ordjson.Bool(r.Restricted))
	frontier := ordjson.List()
	for _, p := range r.Frontier {
		frontier.Items = append(frontier.Items, p.Fields)
	}
	out.Add("frontier", frontier)
	return out
}

// The errors of an input that gives no result at all.
var (
	ErrEmpty     = errors.New("empty-input")
	ErrNoObject  = errors.New("curve-not-object")
	ErrShape     = errors.New("curve-shape")
	ErrDuplicate = errors.New("duplicate-key")
)

// Read reads a list of curves as the reference's tool takes them and returns
// their frontiers in input order. The non-standard literals NaN and Infinity are
// read, and make a point invalid.
func Read(data []byte) ([]Result, error) {
	doc, err := document.Parse(data, document.Options{NonFinite: true, LastWins: true})
	if err != nil {
		return nil, err
	}
	if doc.Kind != ordjson.Array || len(doc.Items) == 0 {
		return nil, ErrEmpty
	}
	var out []Result
	seen := make(map[string]bool)
	for i, item := range doc.Items {
		c, restricted, err := readCurve(item)
		if err == nil && seen[c.Key] {
			err = ErrDuplicate
		}
		if err != nil {
			return nil, fmt.Errorf("curve %d: %w", i+1, err)
		}
		seen[c.Key] = true
		out = append(out, c.Frontier(restricted))
	}
	return out, nil
}

func readCurve(v ordjson.Value) (c Curve, restricted bool, err error) {
	if v.Kind != ordjson.Object {
		return c, false, ErrNoObject
	}
	key, _ := v.Get("key")
	points, _ := v.Get("points")
	if key.Kind != ordjson.String || strings.TrimSpace(key.Text) == "" || points.Kind != ordjson.Array {
		return c, false, ErrShape
	}
	c.Key = key.Text
	for _, item := range points.Items {
		p, valid := NewPoint(item)
		restricted = restricted || p.flagged
		if valid {
			c.Points = append(c.Points, p)
		} else {
			c.Invalid++
		}
	}
	return c, restricted, nil
}
