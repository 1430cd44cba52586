package sandbox

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
)

// hookRoutes are webhooks and their deliveries.
var hookRoutes = []route{
	{"GET /repos/{owner}/{repo}/hooks", admins(levelRead), listHooks},
	{"POST /repos/{owner}/{repo}/hooks", admins(levelWrite), postHook},
	{"GET /repos/{owner}/{repo}/hooks/{hook}", admins(levelRead), getHook},
	{"DELETE /repos/{owner}/{repo}/hooks/{hook}", admins(levelWrite), deleteHook},
	{"POST /repos/{owner}/{repo}/hooks/{hook}/pings", admins(levelRead), pingHook},
	{"GET /repos/{owner}/{repo}/hooks/{hook}/deliveries", admins(levelRead), onHook(listDeliveries)},
	{"GET /repos/{owner}/{repo}/hooks/{hook}/deliveries/{delivery}", admins(levelRead), onHook(getDelivery)},
	{"POST /repos/{owner}/{repo}/hooks/{hook}/deliveries/{delivery}/attempts", admins(levelWrite), onHook(postAttempt)},
	{"GET /app/hook/config", anyone, asApp(getAppHook)},
	{"GET /app/hook/deliveries", anyone, asApp(onAppHook(listDeliveries))},
	{"GET /app/hook/deliveries/{delivery}", anyone, asApp(onAppHook(getDelivery))},
	{"POST /app/hook/deliveries/{delivery}/attempts", anyone, asApp(onAppHook(postAttempt))},
}

// admins is the right to see or change hooks; others are told that there are
// none.
func admins(l level) need {
	return need{scopes: []string{"repository_hooks", "administration"}, level: l, role: roleAdmin}.hidden()
}

func (c *call) hooks() []*hook {
	return filter(c.s.hooks, func(k *hook) bool { return k.repo == c.repo })
}

func listHooks(c *call) (any, error) {
	return convert(page(c, c.hooks()), c.s.hookDoc), nil
}

func postHook(c *call) (any, error) {
	var in struct {
		Events []string
		Config struct {
			URL         string `json:"url"`
			Secret      string `json:"secret"`
			ContentType string `json:"content_type"`
		}
	}
	if err := c.body(&in); err != nil {
		return nil, err
	}
	if len(in.Events) == 0 {
		in.Events = []string{"push"}
	}
	k, err := c.s.newHook(c.repo, Hook{URL: in.Config.URL, Secret: in.Config.Secret, Events: in.Events, Form: in.Config.ContentType == "form"})
	if err != nil {
		return nil, err
	}
	c.s.ping(k)
	return c.created(c.s.hookDoc(k))
}

// hook returns the webhook of a path.
func (c *call) hook() (*hook, error) {
	id, err := c.number("hook")
	if err != nil {
		return nil, err
	}
	if k := find(c.hooks(), func(k *hook) bool { return k.id == id }); k != nil {
		return k, nil
	}
	return nil, notFound()
}

func getHook(c *call) (any, error) {
	k, err := c.hook()
	if err != nil {
		return nil, err
	}
	return c.s.hookDoc(k), nil
}

func deleteHook(c *call) (any, error) {
	k, err := c.hook()
	if err != nil {
		return nil, err
	}
	c.s.hooks = slices.DeleteFunc(slices.Clone(c.s.hooks), func(o *hook) bool { return o == k })
	return nil, nil
}

func pingHook(c *call) (any, error) {
	k, err := c.hook()
	if err != nil {
		return nil, err
	}
	c.s.ping(k)
	return nil, nil
}

// hookHandler is an operation on a hook, however it was found.
type hookHandler func(c *call, k *hook) (any, error)

func onHook(h hookHandler) handler {
	return func(c *call) (any, error) {
		k, err := c.hook()
		if err != nil {
			return nil, err
		}
		return h(c, k)
	}
}

func onAppHook(h hookHandler) handler {
	return func(c *call) (any, error) {
		if c.s.app.hook == nil {
			return nil, notFound()
		}
		return h(c, c.s.app.hook)
	}
}

func getAppHook(c *call) (any, error) {
	if c.s.app.hook == nil {
		return nil, notFound()
	}
	return c.s.hookDoc(c.s.app.hook)["config"], nil
}

// listDeliveries pages by a cursor: the id of the first delivery of a page.
func listDeliveries(c *call, k *hook) (any, error) {
	list := c.s.deliveriesOf(k)
	if status := c.query("status"); status != "" {
		list = filter(list, func(d *delivery) bool { return (status == "success") == (d.code >= 200 && d.code < 400) })
	}
	if cursor := c.query("cursor"); cursor != "" {
		from, err := strconv.ParseInt(cursor, 10, 64)
		if err != nil {
			return nil, unprocessable("Invalid cursor")
		}
		list = filter(list, func(d *delivery) bool { return d.id <= from })
	}
	if _, size := c.pageOf(); len(list) > size {
		c.header.Set("Link", `<`+c.pageURL("cursor", strconv.FormatInt(list[size].id, 10))+`>; rel="next"`)
		list = list[:size]
	}
	return convert(list, c.s.deliveryDoc), nil
}

// deliveryDoc is a delivery in lists.
func (s *Server) deliveryDoc(d *delivery) doc {
	out := doc{
		"id": d.id, "guid": d.guid, "delivered_at": stamp(d.at), "redelivery": d.again, "duration": d.duration.Seconds(), "status": d.status,
		"status_code": d.code, "event": d.event, "action": orNil(d.action), "installation_id": nil, "repository_id": nil, "throttled_at": nil,
	}
	if d.repo != nil {
		out["repository_id"] = d.repo.id
	}
	if d.hook.repo == nil {
		out["installation_id"] = s.app.installation
	}
	return out
}

// delivery returns the delivery of a path.
func (c *call) delivery(k *hook) (*delivery, error) {
	id, err := c.number("delivery")
	if err != nil {
		return nil, err
	}
	if d := find(c.s.deliveriesOf(k), func(d *delivery) bool { return d.id == id }); d != nil {
		return d, nil
	}
	return nil, notFound()
}

func getDelivery(c *call, k *hook) (any, error) {
	d, err := c.delivery(k)
	if err != nil {
		return nil, err
	}
	return merged(c.s.deliveryDoc(d), doc{
		"url": k.url, "request": doc{"headers": d.request, "payload": json.RawMessage(d.payload)},
		"response": doc{"headers": d.response, "payload": d.answer},
	}), nil
}

func postAttempt(c *call, k *hook) (any, error) {
	d, err := c.delivery(k)
	if err != nil {
		return nil, err
	}
	c.s.redeliver(d)
	return accepted(c, http.StatusAccepted, nil)
}
