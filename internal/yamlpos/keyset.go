package yamlpos

import "strconv"

// keySet finds repeated keys. Small mappings, nearly all of them, are searched
// as they are; past fewKeys an index keeps hostile mappings linear.
type keySet struct{ index map[string]int }

const fewKeys = 24

func (s *keySet) find(fields []Field, key *Value) int {
	if s.index != nil {
		if i, ok := s.index[keyID(key)]; ok {
			return i
		}
		return -1
	}
	for i := range fields {
		if fields[i].Key.Equal(key) {
			return i
		}
	}
	if len(fields) == fewKeys {
		s.index = make(map[string]int, 2*fewKeys)
		for i := range fields {
			s.index[keyID(fields[i].Key)] = i
		}
	}
	return -1
}

func (s *keySet) add(key *Value, at int) {
	if s.index != nil {
		s.index[keyID(key)] = at
	}
}

// keyID is equal for two scalar keys exactly when Equal holds for them.
func keyID(key *Value) string {
	switch {
	case key.Kind == Float && key.Float != float64(int64(key.Float)):
		return "f" + strconv.FormatFloat(key.Float, 'g', -1, 64)
	case key.Kind == Float:
		return "i" + strconv.FormatInt(int64(key.Float), 10)
	case key.numeric():
		return "i" + strconv.FormatInt(key.Int, 10)
	default:
		return key.Kind.String() + key.Text
	}
}
