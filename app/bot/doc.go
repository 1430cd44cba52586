// Package bot turns events and commands into decisions and effects, one file a
// story. It calls the pure rooms and knows the outside world only through git
// and the interfaces it declares.
package bot
