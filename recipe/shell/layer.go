package shell

// layer are the entries of one layer of a state. Most hold a few and are
// looked through in order; large ones are a map.
type layer struct {
	// bits has the bit of every key, so that most layers without a key are
	// passed over at once.
	bits uint64
	few  []entry
	many map[key]*binding
}

type entry struct {
	key     key
	binding *binding
}

// fewEntries is the number of entries up to which no map is made.
const fewEntries = 12

// bit is one of 64 bits by which keys are told apart roughly.
func (k key) bit() uint64 {
	h := uint(k.space) + 7*uint(len(k.name))
	if n := len(k.name); n > 0 {
		h += 31*uint(k.name[0]) + 13*uint(k.name[n-1]) + 5*uint(k.name[n/2])
	}
	return 1 << (h & 63)
}

func (l *layer) get(k key) (*binding, bool) {
	if l.many != nil {
		b, ok := l.many[k]
		return b, ok
	}
	for i := range l.few {
		if l.few[i].key == k {
			return l.few[i].binding, true
		}
	}
	return nil, false
}

func (l *layer) put(k key, b *binding) {
	l.bits |= k.bit()
	if l.many != nil {
		l.many[k] = b
		return
	}
	for i := range l.few {
		if l.few[i].key == k {
			l.few[i].binding = b
			return
		}
	}
	if len(l.few) < fewEntries {
		if l.few == nil {
			l.few = make([]entry, 0, 4)
		}
		l.few = append(l.few, entry{k, b})
		return
	}
	l.many = make(map[key]*binding, 3*fewEntries)
	for _, e := range l.few {
		l.many[e.key] = e.binding
	}
	l.many[k] = b
	l.few = nil
}

func (l *layer) size() int { return len(l.few) + len(l.many) }

// each visits the keys.
func (l *layer) each(visit func(key)) {
	for i := range l.few {
		visit(l.few[i].key)
	}
	for k := range l.many {
		visit(k)
	}
}
