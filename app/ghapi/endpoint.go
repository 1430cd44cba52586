package ghapi

import (
	"net/url"
	"strings"
)

// Forms of the part of an address that follows a word.
var follows = map[string]string{
	"compare":       "{basehead}",
	"commits":       "{ref}",
	"trees":         "{sha}",
	"blobs":         "{sha}",
	"statuses":      "{sha}",
	"collaborators": "{login}",
	"workflows":     "{workflow}",
	"installations": "{id}",
	"orgs":          "{org}",
	"teams":         "{team}",
	"memberships":   "{login}",
}

// endpoint returns the form of an address below the root of the API, with
// placeholders for what varies, so that requests can be counted by kind.
func endpoint(base, u *url.URL) string {
	parts := strings.Split(strings.TrimPrefix(u.Path, base.Path), "/")
	for i := range parts {
		switch {
		case i > 0 && i < 3 && parts[0] == "repos":
			parts[i] = [...]string{"{owner}", "{repo}"}[i-1]
		case i > 3 && parts[3] == "contents":
			return strings.Join(parts[:4], "/") + "/{path}"
		case i > 0 && follows[parts[i-1]] != "":
			parts[i] = follows[parts[i-1]]
		case allDigits(parts[i]):
			parts[i] = "{number}"
		}
	}
	return strings.Join(parts, "/")
}

func allDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
