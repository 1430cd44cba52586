// Package failure says why a point of a sweep failed, from the facts of its job
// and the end of its log, and whether it may be run again without a person.
//
// What texts mean is data (rules.yaml), in one place and in order; what facts
// mean is code. Everything read here is hostile: a log is only searched, within
// a fixed length, by expressions that take linear time. A log can therefore
// choose the words of a report, never more than the classes below, and a re-run
// is bounded whatever it says.
package failure
