package checks

// standard are the checks that this version decides, in no order: a profile
// numbers them.
func standard() []Check {
	return []Check{
		CodeOwner(), PassingSweep(), ReuseCommand(), Template(), Images(), Deprecated(), AppendOnly(), Description(), Overview(),
	}
}

// Standard returns the registry of every check that this version decides.
// Topics without one are UNAVAILABLE.
func Standard() *Registry {
	r := &Registry{byTopic: make(map[Topic]Check)}
	for _, c := range standard() {
		r.byTopic[c.Topic] = c
	}
	return r
}
