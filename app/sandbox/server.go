package sandbox

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing/fstest"
	"time"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/scratch"
)

// Server is a running sandbox.
type Server struct {
	state
	opt  Options
	base string // address without a slash at the end
	dir  string // of the bare repositories and the certificate
	main *repository

	folder *scratch.Folder // is dir, from start on

	secure, caFile string // the address over TLS and the certificate to trust

	ctx     context.Context // ends with the sandbox
	stop    context.CancelFunc
	wait    sync.WaitGroup
	changed *sync.Cond // on state.mu: deliveries and engines
	http    *http.Server
	api     *router
	web     *router

	// Under state.mu:
	parsed    map[string]*workflowFile // by path and blob
	faults    faultState
	quotas    map[string]*quota
	downloads map[string]string
	outbox    []*delivery // held back
	sending   []*delivery
	inFlight  bool
	active    int    // engines at work
	asked     string // root of the API as the request under way names it
	latest    time.Time

	requests atomic.Int64
}

// Start starts a sandbox on a free port of this machine. It ends with Close or
// with the context. The error is a diag.Finding.
func Start(ctx context.Context, options Options) (*Server, error) {
	s := newServer(ctx, options.withDefaults())
	err := s.start()
	if err != nil {
		_ = s.Close() // the first error counts
		return nil, err
	}
	return s, nil
}

func newServer(ctx context.Context, opt Options) *Server {
	s := &Server{
		state: newState(opt.Random), opt: opt, parsed: make(map[string]*workflowFile), quotas: make(map[string]*quota),
		downloads: make(map[string]string), api: newRouter(routes()), web: newRouter(pageRoutes),
	}
	s.ctx, s.stop = context.WithCancel(ctx)
	s.changed = sync.NewCond(&s.mu)
	context.AfterFunc(s.ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.changed.Broadcast()
	})
	return s
}

func (s *Server) start() error {
	if err := checkGit(s.ctx); err != nil {
		return err
	}
	var err error
	if s.folder, err = scratch.New("sandbox"); err != nil {
		return outside("sandbox.no-folder", err)
	}
	s.dir = s.folder.Path()
	if !isOwnHost(s.opt.Listen) {
		return diag.New("sandbox.listen-elsewhere", diag.Place{}, "address", s.opt.Listen).In("usage")
	}
	listener, err := net.Listen("tcp", s.opt.Listen)
	if err != nil {
		return outside("sandbox.cannot-listen", err)
	}
	listeners := []net.Listener{listener}
	s.base = "http://" + listener.Addr().String()
	s.http = &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}
	if s.opt.TLS {
		host, _, _ := net.SplitHostPort(listener.Addr().String()) // the form of every TCP address
		if listener, err = s.listenTLS(host); err != nil {
			_ = listeners[0].Close() // nothing was served
			return outside("sandbox.cannot-listen", err)
		}
		listeners = append(listeners, listener)
	}
	return s.open(listeners)
}

// open fills the sandbox and serves it.
func (s *Server) open(listeners []net.Listener) error {
	s.mu.Lock()
	err := s.populate()
	s.mu.Unlock()
	for _, listener := range listeners {
		if err != nil {
			_ = listener.Close() // nothing was served
			continue
		}
		s.wait.Go(func() { _ = s.http.Serve(listener) }) // ends by Close
	}
	if err == nil {
		s.wait.Go(s.send)
	}
	return err
}

// outside is a finding about what is not the input's fault.
func outside(code string, err error) diag.Finding {
	return diag.New(code, diag.Place{}, "detail", err.Error()).In("unreadable")
}

// checkGit wants a git that can merge without a working tree (2.38).
func checkGit(ctx context.Context) error {
	out, err := exec.CommandContext(ctx, "git", "version").Output()
	if err != nil {
		return outside("sandbox.no-git", err)
	}
	fields := strings.Fields(string(out))
	version := fields[min(2, len(fields)-1)]
	parts := strings.Split(version, ".")
	if len(parts) < 2 || parts[0] < "2" || parts[0] == "2" && (len(parts[1]) < 2 || parts[1] < "38") {
		return diag.New("sandbox.old-git", diag.Place{}, "version", version).In("unreadable")
	}
	return nil
}

// populate makes the accounts and the sample repository.
func (s *Server) populate() error {
	ownerName, name, ok := strings.Cut(s.opt.Repository, "/")
	if !ok || ownerName == "" || name == "" || strings.Contains(name, "/") || slices.Contains(apiRoots, ownerName) {
		return diag.New("sandbox.bad-repository", diag.Place{}, "name", s.opt.Repository).In("usage")
	}
	owner := s.addUser(ownerName, "", "Organization")
	s.addApps(owner)
	r, err := s.addRepo(owner, name, nil)
	if err != nil {
		return outside("sandbox.no-folder", err)
	}
	s.main, r.private = r, s.opt.Private
	if err := s.addPeople(r); err != nil {
		return err
	}
	if err := s.seed(r); err != nil {
		return err
	}
	return s.addHooks(r)
}

// addApps makes the App of the options, and the one behind workflow tokens.
func (s *Server) addApps(owner *user) {
	o := s.opt.App
	s.app = &app{
		id: s.ids.take(kindApp), slug: o.Slug, name: o.Slug, account: owner, installation: s.ids.take(kindInstall),
		perms: parsePermissions(o.Permissions), events: o.Events, created: s.now(),
	}
	s.app.bot = s.addUser(o.Slug+"[bot]", "", "Bot")
	s.actions = &app{id: 15368, slug: "github-actions", name: "GitHub Actions", account: owner, perms: permissions{}, events: []string{}, created: s.now()}
	s.actions.bot = s.addUser("github-actions[bot]", "", "Bot")
	if s.app.events == nil {
		s.app.events = []string{}
	}
}

func (s *Server) addPeople(r *repository) error {
	for _, p := range s.opt.People {
		rl, known := parseRole(p.Role)
		if !known {
			return diag.New("sandbox.bad-role", diag.Place{}, "login", p.Login, "role", p.Role).In("usage")
		}
		u := s.addUser(p.Login, p.Name, "User")
		u.member = p.Member
		if rl > roleNone {
			r.roles[u.id] = access{rl, p.ViaTeam}
		}
	}
	for slug, logins := range s.opt.Teams {
		s.teams[lower(slug)] = filter(convert(logins, s.user), func(u *user) bool { return u != nil })
	}
	return nil
}

// seed makes the first commit and the labels.
func (s *Server) seed(r *repository) error {
	from := s.opt.Seed
	if from == nil {
		from = fstest.MapFS{"README.md": {Data: []byte("# " + r.name + "\n")}}
	}
	files, err := readSeed(from)
	if err == nil && len(files) == 0 {
		err = fs.ErrNotExist
	}
	if err != nil {
		return outside("sandbox.bad-seed", err)
	}
	tip, err := r.git.commit(s.ctx, newCommit{
		branch: r.defaultBranch, files: files, message: "Initial commit", author: s.signature(s.firstAdmin(r)),
	})
	if err != nil {
		return outside("sandbox.bad-seed", err)
	}
	r.heads[r.defaultBranch] = tip
	for _, name := range sortedKeys(s.opt.Labels) {
		if _, err := s.newLabel(r, name, "0e8a16", s.opt.Labels[name]); err != nil {
			return outside("sandbox.bad-label", err)
		}
	}
	s.registerWorkflows(r)
	return nil
}

// firstAdmin is who made the first commit.
func (s *Server) firstAdmin(r *repository) *user {
	for _, p := range s.opt.People {
		if u := s.user(p.Login); roleOf(u, r) == roleAdmin {
			return u
		}
	}
	return r.owner
}

func (s *Server) addHooks(r *repository) error {
	for _, h := range s.opt.Hooks {
		if _, err := s.newHook(r, h); err != nil {
			return outside("sandbox.bad-hook", err)
		}
	}
	if s.opt.App.WebhookURL == "" {
		return nil
	}
	return s.setAppHook(Hook{URL: s.opt.App.WebhookURL, Secret: s.opt.App.Secret, Events: s.opt.App.Events})
}

func (s *Server) setAppHook(h Hook) error {
	k, err := s.newHook(nil, h)
	if err != nil {
		return outside("sandbox.bad-hook", err)
	}
	s.app.hook = k
	return nil
}

// addRepo makes a repository, or a fork of parent.
func (s *Server) addRepo(owner *user, name string, parent *repository) (*repository, error) {
	r := &repository{
		id: s.ids.take(kindRepo), owner: owner, name: name, defaultBranch: "main", created: s.now(), parent: parent,
		heads: make(map[string]string), tags: make(map[string]string), roles: make(map[int64]access), groups: make(map[string]*group),
	}
	r.pushed = r.created
	var objects *bare
	if parent != nil {
		r.defaultBranch, r.private, objects = parent.defaultBranch, parent.private, parent.git
	}
	var err error
	if r.git, err = newBare(s.ctx, filepath.Join(s.dir, r.gitName()), r.defaultBranch, objects); err != nil {
		return nil, err
	}
	s.repos[lower(r.fullName())] = r
	return r, nil
}

// now reads the clock.
func (s *Server) now() time.Time {
	s.latest = s.opt.Clock().UTC()
	return s.latest
}

// URL is the address of the sandbox: pages at the root, the API below /api/v3
// and, as on GitHub's own host for it, at the root too.
func (s *Server) URL() string { return s.base }

// Repository is owner/name of the sample repository.
func (s *Server) Repository() string { return s.opt.Repository }

// Close ends the sandbox and removes its repositories. Engines at work are
// cancelled and waited for.
func (s *Server) Close() error {
	s.mu.Lock() // nothing new begins after this
	s.stop()
	s.mu.Unlock()
	var err error
	if s.http != nil {
		err = s.endServing()
	}
	s.wait.Wait()
	for _, r := range s.repos {
		err = errors.Join(err, r.git.read.Close())
	}
	return errors.Join(err, s.folder.Close())
}

// closing is how long requests under way may take at the end.
const closing = 5 * time.Second

// endServing waits for requests under way: a push must not lose the folder that
// it writes to.
func (s *Server) endServing() error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), closing)
	defer cancel()
	if err := s.http.Shutdown(ctx); err != nil {
		return s.http.Close()
	}
	return nil
}
