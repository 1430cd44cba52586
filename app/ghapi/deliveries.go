package ghapi

import (
	"context"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// Deliveries is GitHub's log of the webhooks it sent to an App. GitHub keeps
// it for three days and never repeats a failed delivery by itself
// (spec/github-limits.md, webhooks).
type Deliveries interface {
	// Since lists the deliveries made at or after a time, newest first.
	Since(ctx context.Context, t time.Time) ([]Delivery, error)
	// Redeliver has GitHub send one again, under its old delivery id, so that
	// doing it twice is no harm.
	Redeliver(ctx context.Context, id int64) error
}

// Delivery is one attempt to deliver an event.
type Delivery struct {
	ID             int64
	GUID           string // the X-GitHub-Delivery header, equal for repeats
	Event, Action  string
	At             time.Time
	Redelivery     bool
	StatusCode     int // of our answer; 0 where there was none
	InstallationID int64
	RepositoryID   int64
}

// OK reports whether our server took the delivery.
func (d Delivery) OK() bool { return d.StatusCode >= 200 && d.StatusCode <= 299 }

// Deliveries returns the log of the App. The error is a diag.Finding where the
// client is none of an App.
func (c *Client) Deliveries() (Deliveries, error) {
	if c.asApp == nil {
		return nil, diag.New("ghapi.no-app", diag.Place{}).In("usage")
	}
	return deliveryLog{c.asApp}, nil
}

type deliveryLog struct{ *actor }

// Since reads the log page by page until it is older than t. Pages hang on a
// cursor, which GitHub gives with each.
func (l deliveryLog) Since(ctx context.Context, t time.Time) ([]Delivery, error) {
	var found []Delivery
	seen := make(map[int64]bool)
	options := github.ListCursorOptions{PerPage: perPage}
	for range maxPages {
		items, resp, err := l.gh.Apps.ListHookDeliveries(ctx, &options)
		if err != nil {
			return nil, l.pipe.translate("GET app/hook/deliveries", err)
		}
		for _, item := range items {
			d := toDelivery(item)
			if d.At.Before(t) {
				return found, nil
			}
			if !seen[d.ID] {
				seen[d.ID] = true
				found = append(found, d)
			}
		}
		if resp.Cursor == "" || resp.Cursor == options.Cursor {
			return found, nil
		}
		options.Cursor = resp.Cursor
	}
	return nil, newError(0, "ghapi.list-incomplete", nil, "read", "0")
}

// Redeliver asks for another delivery.
func (l deliveryLog) Redeliver(ctx context.Context, id int64) error {
	_, _, err := l.gh.Apps.RedeliverHookDelivery(repeatable(ctx), id)
	return l.pipe.translate("POST app/hook/deliveries/{number}/attempts", err)
}

func toDelivery(d *github.HookDelivery) Delivery {
	return Delivery{
		ID: d.GetID(), GUID: d.GetGUID(), Event: d.GetEvent(), Action: d.GetAction(), At: timeOf(d.DeliveredAt),
		Redelivery: d.GetRedelivery(), StatusCode: d.GetStatusCode(), InstallationID: d.GetInstallationID(), RepositoryID: d.GetRepositoryID(),
	}
}
