package collect

import (
	"context"
	"io"
	"strings"

	"github.com/sweepbot/sweepbot/app/bot"
)

// Logs is a platform that gives the logs of jobs.
type Logs interface {
	JobLog(ctx context.Context, job int64) (io.ReadCloser, error)
}

const (
	// maxLogs is how many failed jobs are looked into, the first ones: where
	// more fail, they fail alike.
	maxLogs = 40
	// maxLog is how much of a log is read, logEnd what is kept of its end. The
	// reason of a failure stands there.
	maxLog = 64 << 20
	logEnd = 64 << 10
)

// LogEnds reads the ends of the logs of failed jobs. A platform without logs
// has none, and a log that can't be had is left out: the reason is then told
// from facts alone.
func LogEnds(ctx context.Context, from any, jobs []bot.Job) map[int64]string {
	platform, ok := from.(Logs)
	if !ok {
		return nil
	}
	ends := make(map[int64]string)
	for _, j := range jobs {
		if j.Conclusion != "failure" && j.Conclusion != "timed_out" || j.RunnerName == "" {
			continue
		}
		if len(ends) == maxLogs || ctx.Err() != nil {
			break
		}
		if body, err := platform.JobLog(ctx, j.ID); err == nil {
			ends[j.ID] = endOf(body)
			body.Close()
		}
	}
	return ends
}

// endOf reads a log and keeps its end, from the beginning of a line.
func endOf(log io.Reader) string {
	var kept []byte
	buffer := make([]byte, 32<<10)
	for left := maxLog; left > 0; {
		n, err := log.Read(buffer[:min(len(buffer), left)])
		left -= n
		kept = append(kept, buffer[:n]...)
		if len(kept) > 2*logEnd {
			kept = append(kept[:0], kept[len(kept)-logEnd:]...)
		}
		if err != nil {
			break
		}
	}
	text := string(kept[max(0, len(kept)-logEnd):])
	if len(kept) > logEnd {
		_, text, _ = strings.Cut(text, "\n")
	}
	return strings.ToValidUTF8(text, "?")
}
