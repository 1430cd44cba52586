// Package chaos holds the proof that deliveries may be repeated, reordered,
// lost and handled at once by several processes that are killed in the middle:
// what people see on GitHub in the end is what a single delivery of each event
// leaves (docs/delivery.md). It has tests only.
package chaos
