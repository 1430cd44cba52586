package ghapi

import (
	"context"
	"strconv"
	"time"

	"github.com/google/go-github/v62/github"
)

const (
	// maxPages bounds a listing; GitHub's longest have a few dozen pages.
	maxPages = 1000
	// maxRounds is how often a listing is begun again because it changed while
	// it was read.
	maxRounds = 3
)

// page is one page of a listing.
type page[T any] struct {
	items []T
	total int // of the whole listing; -1 where GitHub does not say
	next  int // number of the next page, 0 for none
}

// pageOf reads where a page stands in a listing.
func pageOf[T any](items []T, total int, resp *github.Response) page[T] {
	p := page[T]{items: items, total: total}
	if resp != nil {
		p.next = resp.NextPage
	}
	return p
}

// listing reads lists to their end. A page that cannot be had fails the whole
// list: there is no partial result (spec/security.md S57).
type listing[T any, K comparable] struct {
	id    func(T) K
	limit int // 0 is no limit; else enough is enough
	fetch func(ctx context.Context, number int) (page[T], error)
	pause func(ctx context.Context, round int) error
}

// all returns every item once, in GitHub's order. Lists that say how long they
// are, and turn out to be shorter or change their length, are read again.
func (l listing[T, K]) all(ctx context.Context) ([]T, error) {
	for round := 1; ; round++ {
		items, whole, err := l.once(ctx)
		if err != nil || whole {
			return items, err
		}
		if round == maxRounds {
			return nil, newError(0, "ghapi.list-incomplete", nil, "read", strconv.Itoa(len(items)))
		}
		if err := l.pause(ctx, round); err != nil {
			return nil, err
		}
	}
}

// once reads the list from its first page. whole is false when it does not add
// up.
func (l listing[T, K]) once(ctx context.Context) (items []T, whole bool, err error) {
	seen := make(map[K]bool)
	first, steady := -1, true
	for number := 1; number <= maxPages; {
		p, err := l.fetch(ctx, number)
		if err != nil {
			return nil, false, err
		}
		before := len(items)
		for _, item := range p.items {
			if id := l.id(item); !seen[id] {
				seen[id] = true
				items = append(items, item)
			}
		}
		if number == 1 {
			first = p.total
		}
		steady = steady && p.total == first
		if l.limit > 0 && len(items) >= l.limit {
			return items[:l.limit], true, nil
		}
		switch {
		case p.next > number:
			number = p.next
		case p.total < 0 && len(p.items) >= perPage && len(items) > before:
			// Whether a page is the last one is not part of what its
			// validator stands for, so a full page without a successor may
			// be an old answer.
			number++
		default:
			return items, steady && (p.total < 0 || len(items) >= p.total), nil
		}
	}
	return items, false, nil
}

// pauseBetween waits before a list is read again, longer each time.
func (p *pipeline) pauseBetween(ctx context.Context, round int) error {
	return p.options.Sleep(ctx, time.Second<<(round-1))
}
