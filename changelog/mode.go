package changelog

import "github.com/sweepbot/sweepbot/internal/diag"

// The modes of git's tree entries that a changelog may have.
const regularMode = "100644"

// CheckMode refuses a changelog that is not a regular file: a symbolic link, a
// submodule, or a file made executable (spec/security.md S49). Modes are those
// of git's trees; an empty mode is a file that does not exist. A mode that the
// base has already is not this change's doing.
func CheckMode(rules Rules, base, head string) diag.List {
	if head == "" || head == regularMode || head == base {
		return nil
	}
	code := "changelog.mode-changed"
	if head == "120000" || head == "160000" {
		code = "changelog.not-a-file"
	}
	return diag.List{diag.New(code, rules.place(0), "mode", show(head), "right", regularMode)}
}
