package sandbox

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// Sizes of pages.
const (
	defaultPage = 30
	maxPage     = 100
)

// pageOf reads the paging parameters; what makes no sense is the default.
func (c *call) pageOf() (page, size int) {
	size, err := strconv.Atoi(c.query("per_page"))
	if err != nil || size < 1 {
		size = defaultPage
	}
	page, err = strconv.Atoi(c.query("page"))
	if err != nil || page < 1 {
		page = 1
	}
	return page, min(size, maxPage)
}

// page returns the part of a list that was asked for, and says in the Link
// header where the others are.
func page[T any](c *call, list []T) []T {
	number, size := c.pageOf()
	last := (len(list) + size - 1) / size
	var links []string
	link := func(rel string, n int) {
		links = append(links, fmt.Sprintf(`<%s>; rel="%s"`, c.pageURL("page", strconv.Itoa(n)), rel))
	}
	if number > 1 {
		link("prev", min(number-1, max(last, 1)))
	}
	if number < last {
		link("next", number+1)
		link("last", last)
	}
	if number > 1 {
		link("first", 1)
	}
	if len(links) > 0 {
		c.header.Set("Link", strings.Join(links, ", "))
	}
	if number > last {
		return []T{}
	}
	return list[(number-1)*size : min(number*size, len(list))]
}

// pageURL is the address of this request with one parameter changed.
func (c *call) pageURL(parameter, value string) string {
	q := make(url.Values)
	for name, values := range c.r.URL.Query() {
		q[name] = values
	}
	q.Set(parameter, value)
	return c.s.apiURL("%s", c.r.URL.Path) + "?" + q.Encode()
}

// counted is a page of a list in the form that has a total.
func counted[T any](c *call, name string, list []T, document func(T) doc) doc {
	return doc{"total_count": len(list), name: convert(page(c, list), document)}
}
