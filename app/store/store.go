package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	_ "modernc.org/sqlite"             // the driver "sqlite"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results"
	"github.com/sweepbot/sweepbot/results/document"
	"github.com/sweepbot/sweepbot/results/report"
)

// Depth is how many of the newest runs are a baseline.
const Depth = 5

// maxRows bounds what is read from a store.
const maxRows = 200_000

// schema creates what is missing. A Postgres database needs the same tables,
// made by whoever owns it (docs/report.md).
const schema = `
CREATE TABLE IF NOT EXISTS sweepbot_runs (
	id INTEGER PRIMARY KEY, repository TEXT NOT NULL, run BIGINT NOT NULL, attempt BIGINT NOT NULL,
	commit_sha TEXT NOT NULL, measured_at TEXT NOT NULL, UNIQUE (repository, run));
CREATE TABLE IF NOT EXISTS sweepbot_rows (
	run_id BIGINT NOT NULL REFERENCES sweepbot_runs (id), kind TEXT NOT NULL, source TEXT NOT NULL, doc TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS sweepbot_rows_by_run ON sweepbot_rows (run_id);`

// The kinds of rows.
const (
	kindRow  = "row"
	kindEval = "eval"
)

// Store is an open results store.
type Store struct {
	db *sql.DB
	// remote stores are read only.
	remote bool
	where  string
}

// Remote reports whether a store is named by the address of a database server.
func Remote(where string) bool {
	return strings.HasPrefix(where, "postgres://") || strings.HasPrefix(where, "postgresql://")
}

// Open opens a store by the path of its SQLite file, which is made when create
// is set, or by the address of a Postgres database. No error holds a password.
func Open(ctx context.Context, where string, create bool) (*Store, error) {
	s := &Store{where: shown(where), remote: Remote(where)}
	var err error
	switch {
	case s.remote:
		s.db, err = sql.Open("pgx", readOnly(where))
	case !create && missing(where):
		return nil, diag.New("store.missing", diag.Place{File: where}).In("unreadable")
	default:
		s.db, err = sql.Open("sqlite", "file:"+(&url.URL{Path: where}).EscapedPath()+"?_pragma=busy_timeout(5000)&_pragma=foreign_keys(1)")
	}
	if err == nil && !s.remote {
		s.db.SetMaxOpenConns(1)
		_, err = s.db.ExecContext(ctx, schema)
	}
	if err == nil {
		err = s.db.PingContext(ctx)
	}
	if err != nil {
		return nil, s.failed(err)
	}
	return s, nil
}

func missing(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, os.ErrNotExist)
}

// readOnly asks the server to refuse every write of the connection.
func readOnly(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	q := u.Query()
	q.Set("default_transaction_read_only", "on")
	if q.Get("connect_timeout") == "" {
		q.Set("connect_timeout", "10")
	}
	u.RawQuery = q.Encode()
	return u.String()
}

// shown is the name of a store for people, without a password.
func shown(where string) string {
	if !Remote(where) {
		return filepath.Base(where)
	}
	if u, err := url.Parse(where); err == nil {
		return "postgres " + u.Hostname() + u.Path
	}
	return "postgres"
}

func (s *Store) failed(err error) error {
	if err == nil {
		return nil
	}
	detail := err.Error()
	if s.remote {
		// A driver may repeat the address; the name of the store is enough.
		detail = "the database does not answer as it should"
		var wrapped interface{ SQLState() string }
		if errors.As(err, &wrapped) {
			detail += " (" + wrapped.SQLState() + ")"
		}
	}
	return diag.New("store.failed", diag.Place{File: s.where}, "detail", diag.Printable(detail)).In("unreadable")
}

// Close closes the store.
func (s *Store) Close() error { return s.db.Close() }

// Add stores the results of a run, in place of what the store has of it: the
// rows and scores of points that passed. Measured is when the run ended.
func (s *Store) Add(ctx context.Context, r report.Report, measured time.Time) error {
	switch {
	case s.remote:
		return diag.New("store.read-only", diag.Place{File: s.where}).In("usage")
	case r.Run == nil || r.Run.ID == 0:
		return diag.New("store.no-run", diag.Place{}).In("usage")
	}
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return s.failed(err)
	}
	defer func() { _ = tx.Rollback() }() // does nothing after a commit
	if err := add(ctx, tx, r, measured); err != nil {
		return s.failed(err)
	}
	return s.failed(tx.Commit())
}

func add(ctx context.Context, tx *sql.Tx, r report.Report, measured time.Time) error {
	for _, text := range []string{
		"DELETE FROM sweepbot_rows WHERE run_id IN (SELECT id FROM sweepbot_runs WHERE repository = ? AND run = ?)",
		"DELETE FROM sweepbot_runs WHERE repository = ? AND run = ?",
	} {
		if _, err := tx.ExecContext(ctx, text, r.Run.Repository, r.Run.ID); err != nil {
			return err
		}
	}
	done, err := tx.ExecContext(ctx, "INSERT INTO sweepbot_runs (repository, run, attempt, commit_sha, measured_at) VALUES (?, ?, ?, ?, ?)",
		r.Run.Repository, r.Run.ID, r.Run.Attempt, r.Run.Head, measured.UTC().Format(time.RFC3339))
	if err != nil {
		return err
	}
	id, err := done.LastInsertId()
	if err != nil {
		return err
	}
	insert, err := tx.PrepareContext(ctx, "INSERT INTO sweepbot_rows (run_id, kind, source, doc) VALUES (?, ?, ?, ?)")
	if err != nil {
		return err
	}
	defer insert.Close()
	for _, p := range r.Points {
		if p.State != results.Passed {
			continue
		}
		if p.Row != nil {
			if _, err := insert.ExecContext(ctx, id, kindRow, p.Artifact, string(p.Row)); err != nil {
				return err
			}
		}
		for _, score := range p.Scores {
			if _, err := insert.ExecContext(ctx, id, kindEval, p.Artifact, string(score.Row)); err != nil {
				return err
			}
		}
	}
	return nil
}

// Baseline returns the newest runs of a store, the oldest of them first. A row
// that breaks the contract is a finding.
func (s *Store) Baseline(ctx context.Context) (report.Baseline, diag.List, error) {
	out := report.Baseline{}
	// The newest runs are chosen first, so that a large store is not read whole.
	rows, err := s.db.QueryContext(ctx, `SELECT r.kind, r.source, r.doc FROM sweepbot_rows r
		JOIN (SELECT id, measured_at, run FROM sweepbot_runs ORDER BY measured_at DESC, run DESC LIMIT `+fmt.Sprint(Depth)+`) n ON n.id = r.run_id
		ORDER BY n.measured_at, n.run, r.source`)
	if err != nil {
		return out, nil, s.failed(err)
	}
	defer rows.Close()
	var list diag.List
	read := 0
	for rows.Next() {
		var kind, source, doc string
		if err := rows.Scan(&kind, &source, &doc); err != nil {
			return out, nil, s.failed(err)
		}
		if read++; read > maxRows {
			return out, nil, s.failed(errors.New("it holds too many rows"))
		}
		list = append(list, take(&out, kind, source, doc)...)
	}
	if err := rows.Err(); err != nil {
		return out, nil, s.failed(err)
	}
	out.Source = s.where
	return out, list, nil
}

// take reads one stored row.
func take(out *report.Baseline, kind, source, doc string) diag.List {
	v, err := document.Parse([]byte(doc), document.Options{})
	if err != nil {
		return diag.List{diag.New("results.json-unreadable", diag.Place{File: source}, "error", err.Error())}
	}
	if kind == kindEval {
		row, list := results.ReadEvalRow(source, v, ordjson.Value{}, results.Newest())
		if !list.Refused() {
			out.Evals = append(out.Evals, row)
		}
		return list
	}
	row, list := results.ReadRow(source, v, results.Newest())
	if !list.Refused() {
		out.Rows = append(out.Rows, row)
	}
	return list
}

// Baseline opens a store for reading and returns its newest runs.
func Baseline(ctx context.Context, where string) (report.Baseline, diag.List, error) {
	s, err := Open(ctx, where, false)
	if err != nil {
		return report.Baseline{}, nil, err
	}
	defer s.Close()
	return s.Baseline(ctx)
}
