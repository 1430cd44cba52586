package ghapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"

	"github.com/google/go-github/v62/github"

	"github.com/sweepbot/sweepbot/app/bot"
)

// artifact adds the field that the library lacks.
type artifact struct {
	github.Artifact
	Digest string `json:"digest"`
}

// Artifacts lists every upload of a run. Several of one name may exist, and
// which of them counts is the caller's to say.
func (r *repository) Artifacts(ctx context.Context, runID int64) ([]bot.Artifact, error) {
	all, err := listing[artifact, int64]{
		id:    func(a artifact) int64 { return a.GetID() },
		pause: r.pipe.pauseBetween,
		fetch: func(ctx context.Context, n int) (page[artifact], error) {
			var answer struct {
				Total     int        `json:"total_count"`
				Artifacts []artifact `json:"artifacts"`
			}
			resp, err := r.get(ctx, fmt.Sprintf("actions/runs/%d/artifacts?page=%d&per_page=%d", runID, n, perPage), &answer)
			return pageOf(answer.Artifacts, answer.Total, resp), r.fail("GET", "actions/runs/{number}/artifacts", err)
		},
	}.all(ctx)
	if err != nil {
		return nil, err
	}
	artifacts := make([]bot.Artifact, len(all))
	for i, a := range all {
		artifacts[i] = bot.Artifact{
			ID: a.GetID(), Name: a.GetName(), Size: a.GetSizeInBytes(), Digest: a.Digest, Expired: a.GetExpired(),
			RunID: orElse(a.GetWorkflowRun().GetID(), runID), CreatedAt: timeOf(a.CreatedAt),
		}
	}
	return artifacts, nil
}

const (
	archiveForm = "actions/artifacts/{number}/zip"
	logForm     = "actions/jobs/{number}/logs"
	// storageHops is how often the storage may redirect.
	storageHops = 3
)

// OpenArtifact streams the zip archive of an artifact. GitHub answers with an
// address on another host, whose signature is all the proof it needs: our
// token is not sent there, and the address is in no error. Reading more than
// Options.MaxArtifact bytes ends in ErrTooLarge.
func (r *repository) OpenArtifact(ctx context.Context, id int64) (io.ReadCloser, error) {
	return r.openStored(ctx, archiveForm, func() (*url.URL, *github.Response, error) {
		return r.gh.Actions.DownloadArtifact(ctx, r.owner, r.name, id, 0)
	})
}

// JobLog streams the log of a job, as OpenArtifact does an archive. The log of a
// job that is not over, and one that GitHub no longer has, is ErrNotFound.
func (r *repository) JobLog(ctx context.Context, job int64) (io.ReadCloser, error) {
	return r.openStored(ctx, logForm, func() (*url.URL, *github.Response, error) {
		return r.gh.Actions.GetWorkflowJobLogs(ctx, r.owner, r.name, job, 0)
	})
}

// openStored asks for the address of something in GitHub's storage and opens it.
func (r *repository) openStored(ctx context.Context, form string, ask func() (*url.URL, *github.Response, error)) (io.ReadCloser, error) {
	for try := 1; ; try++ {
		address, resp, err := ask()
		if err != nil && resp != nil {
			return nil, statusError(resp.StatusCode, "GET repos/{owner}/{repo}/"+form, "")
		}
		if err != nil {
			return nil, r.fail("GET", form, err)
		}
		body, again, err := r.openStorage(ctx, address)
		if err == nil || !again || try == maxTries {
			return body, err
		}
		if err := r.pipe.pauseBetween(ctx, try); err != nil {
			return nil, r.fail("GET", form, err)
		}
	}
}

// openStorage opens a signed address. again says that a new one may help.
func (r *repository) openStorage(ctx context.Context, address *url.URL) (body io.ReadCloser, again bool, err error) {
	const request = "GET archive"
	if !r.mayFetch(address) {
		return nil, false, newError(0, "ghapi.bad-answer", nil, "request", request, "detail", "the storage is not reached by https")
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), nil)
	if err != nil {
		return nil, false, newError(0, "ghapi.bad-answer", nil, "request", request, "detail", "the address of the storage is broken")
	}
	req.Header.Set("User-Agent", r.client.options.UserAgent)
	client := http.Client{Transport: r.client.options.Transport, CheckRedirect: r.checkHop}
	count(ctx, r.client.totals, func(s *Stats) { s.request(http.MethodGet, "{storage}") })
	resp, err := client.Do(req)
	if err != nil {
		return nil, !errors.Is(err, errOtherHost), r.pipe.translate(request, err)
	}
	if resp.StatusCode != http.StatusOK {
		resp.Body.Close()
		// An address is good for a minute; after that the storage says 403.
		again = resp.StatusCode == http.StatusForbidden || resp.StatusCode >= 500
		return nil, again, statusError(resp.StatusCode, request, "")
	}
	limit := r.client.options.MaxArtifact
	if resp.ContentLength > limit {
		resp.Body.Close()
		return nil, false, newError(0, "ghapi.too-large", []error{ErrTooLarge}, "request", request, "limit", strconv.FormatInt(limit, 10))
	}
	return &boundedBody{body: resp.Body, left: limit, limit: limit}, false, nil
}

// mayFetch wants https, unless GitHub itself is on this machine without it.
func (r *repository) mayFetch(address *url.URL) bool {
	return address.Host != "" && (address.Scheme == "https" || address.Scheme == r.client.base.Scheme && onThisMachine(address.Hostname()))
}

func (r *repository) checkHop(req *http.Request, via []*http.Request) error {
	if len(via) > storageHops || !r.mayFetch(req.URL) {
		return errOtherHost
	}
	req.Header.Del("Referer") // would hand the signed address on
	return nil
}
