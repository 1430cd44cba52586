package shell

// FromSegments returns the value of pieces in order. Empty known pieces are
// left out. The slice must not be changed afterwards.
func FromSegments(segs []Segment) Value {
	v := Value{segs: make([]Segment, 0, len(segs))}
	for _, s := range segs {
		if s.Unknown == nil && s.Text == "" {
			continue
		}
		v.segs = append(v.segs, s)
		v.size += len(s.Text)
	}
	return v
}
