package sandbox

import (
	"io/fs"
	"time"
)

// Options says what a sandbox holds when it starts. The zero value is a public
// repository "acme-bench/inference" with a README and the default people.
type Options struct {
	// Listen is the address to serve on, of this machine: "127.0.0.1:8080".
	// "" is a free port of 127.0.0.1.
	Listen string
	// TLS serves on a second free port too, over TLS, with a certificate that
	// is made for the sandbox: see [Server.TLSURL] and [Server.CAFile].
	TLS bool
	// Repository is owner/name of the sample repository.
	Repository string
	// Private hides the repository from everybody without a role.
	Private bool
	// Seed are the files of the first commit on main; nil is a README.
	Seed fs.FS
	// People are the accounts; nil are [DefaultPeople].
	People []Account
	// Teams maps a team's slug to its members.
	Teams map[string][]string
	// Labels are created in the repository at start, name to description.
	Labels map[string]string
	// App is the GitHub App that is installed on the owner.
	App App
	// Hooks are webhooks of the repository.
	Hooks []Hook
	// Engine runs workflows; without one, runs stay queued until a test
	// reports through [Server.Run].
	Engine Engine
	// Clock gives the times in documents; nil is the real clock.
	Clock func() time.Time
	// AuthClock gives the time against which JWTs, token expiry and quotas are
	// measured. Clients use the real clock for these, so nil is that one.
	AuthClock func() time.Time
	// Random seeds tokens, delivery ids and everything that faults leave to
	// chance.
	Random uint64
	// Secrets and Variables of the repository's workflows.
	Secrets, Variables map[string]string
	// WriteByDefault gives workflows that declare no permissions a writing
	// token, the old default of GitHub. The new one reads contents only.
	WriteByDefault bool
	// Limits of requests; the zero value has GitHub's own.
	Limits Limits
}

// Account is a made-up user. Role is what the user may do in the sample
// repository: admin, maintain, write, triage, read or none.
type Account struct {
	Login, Name string
	Role        string
	// Member is "public" or "private" for members of the owning organisation.
	// A private one is MEMBER to those who may see it, CONTRIBUTOR in webhook
	// payloads (spec/github-limits.md).
	Member string
	// ViaTeam marks a role that comes from a team: no collaborator by name.
	ViaTeam bool
}

// DefaultPeople are one account for each role.
func DefaultPeople() []Account {
	return []Account{
		{Login: "ada-admin", Name: "Ada", Role: "admin", Member: "public"},
		{Login: "mina-maintain", Name: "Mina", Role: "maintain", Member: "public"},
		{Login: "walt-write", Name: "Walt", Role: "write"},
		{Login: "priya-private", Name: "Priya", Role: "write", Member: "private", ViaTeam: true},
		{Login: "tess-triage", Name: "Tess", Role: "triage"},
		{Login: "remy-read", Name: "Remy", Role: "read"},
		{Login: "otto-outside", Name: "Otto", Role: "none"},
	}
}

// App is a GitHub App with one installation.
type App struct {
	// Slug is the name in URLs; the bot's login is slug[bot]. Empty is
	// "sweepbot".
	Slug string
	// Permissions of the installation; nil is everything that sweepbot asks for.
	Permissions map[string]string
	// WebhookURL receives the App's deliveries, signed with Secret; "" is none.
	WebhookURL, Secret string
	// Events the App subscribes to; nil is all.
	Events []string
}

// Hook is a webhook of the repository. The URL must be on this machine.
type Hook struct {
	URL, Secret string
	// Events is what is sent; nil is everything.
	Events []string
	// Form sends application/x-www-form-urlencoded instead of JSON.
	Form bool
}

// Limits are request budgets (spec/github-limits.md). Zero is GitHub's own
// figure, a negative number is none.
type Limits struct {
	// AnonymousHour, UserHour, AppHour and RunHour are requests an hour for
	// nobody, a user, an installation, and a repository's workflow tokens.
	AnonymousHour, UserHour, AppHour, RunHour int
	// WritesMinute and WritesHour bound requests that create content.
	WritesMinute, WritesHour int
	// PointsMinute bounds all requests: a read is 1 point, a write 5.
	PointsMinute int
}

// withDefaults fills zero figures.
func (l Limits) withDefaults() Limits {
	for _, f := range []struct {
		field *int
		value int
	}{
		{&l.AnonymousHour, 60}, {&l.UserHour, 5000}, {&l.AppHour, 5000}, {&l.RunHour, 1000},
		{&l.WritesMinute, 80}, {&l.WritesHour, 500}, {&l.PointsMinute, 900},
	} {
		if *f.field == 0 {
			*f.field = f.value
		}
	}
	return l
}

// appPermissions is what the App may do unless Options say otherwise.
func appPermissions() map[string]string {
	return map[string]string{
		"actions": "write", "checks": "write", "contents": "write", "issues": "write", "members": "read",
		"metadata": "read", "pull_requests": "write", "statuses": "write",
	}
}

// withDefaults fills what is not set.
func (o Options) withDefaults() Options {
	if o.Listen == "" {
		o.Listen = "127.0.0.1:0"
	}
	if o.Repository == "" {
		o.Repository = "acme-bench/inference"
	}
	if o.People == nil {
		o.People = DefaultPeople()
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.AuthClock == nil {
		o.AuthClock = time.Now
	}
	if o.App.Slug == "" {
		o.App.Slug = "sweepbot"
	}
	if o.App.Permissions == nil {
		o.App.Permissions = appPermissions()
	}
	o.Limits = o.Limits.withDefaults()
	return o
}
