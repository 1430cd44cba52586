package shell

// StandardModels returns the programs computed by default. The map is the
// caller's to extend.
func StandardModels() Models { return Models{} }

// StandardWrappers returns the programs that start the rest of their
// arguments. The map is the caller's to extend.
func StandardWrappers() map[string]Wrapper { return map[string]Wrapper{} }
