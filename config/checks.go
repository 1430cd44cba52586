package config

// Checks holds the switches of the sign-off checks (spec/checks.md). Their
// profile is a choice of its own: a preset only gives it a default.
type Checks struct {
	// Profile is the set of numbered checks, one of 2026-07 to 2026-11
	// (spec/checks.md, timeline).
	Profile string `yaml:"profile"`
	// Undecidable says what becomes of a check whose evidence is unknown: warn
	// asks for human review, strict fails.
	Undecidable string `yaml:"undecidable"`
	// Reached says what configs are that only run changed shared code: a
	// remark, a warning, or affected like all others (section 1.3, step 6).
	Reached string `yaml:"reached"`
	// Teams lists members of teams whose membership the token can't read, as
	// @org/team:login.
	Teams []string `yaml:"teams"`
	// DocsOnlyNotApplicable makes check 1 not applicable where no config key is
	// affected and no changelog entry is added.
	DocsOnlyNotApplicable bool `yaml:"docs-only-not-applicable"`
	// ResultCodeMaterial makes a sweep outdated when code that turns raw
	// results into rows changed since (check 1).
	ResultCodeMaterial bool `yaml:"result-code-material"`
	// UnreadableOwners says whether an owner line with a team that can't be
	// read passes for a recognised signer (check 0).
	UnreadableOwners string `yaml:"unreadable-owners"`
	// TemplateScore is the percentage of an item's words that a copy must hold
	// (check 5).
	TemplateScore int `yaml:"template-score"`
	// OpenSourceImages judges foreign images of open-source frameworks other
	// than plain vLLM and SGLang (check 6).
	OpenSourceImages string `yaml:"open-source-images"`
	// ArchivedSiblings lets an archived open-source config stand for one that
	// is still run (check 6).
	ArchivedSiblings bool `yaml:"archived-siblings"`
	// NonSpeculativeArm says who decides about points without speculation of a
	// model that has a deprecated arm (check 7).
	NonSpeculativeArm string `yaml:"non-speculative-arm"`
	// Overview is what check 16 asks of an NVIDIA submission.
	Overview string `yaml:"overview"`
	// Verdict is where and how a verdict is given.
	Verdict Verdict `yaml:"verdict"`
}

// Verdict holds the switches of the verdict comment (spec/verdict.md).
type Verdict struct {
	// Mode is the lifecycle of the comment (section 2).
	Mode string `yaml:"mode"`
	// Scope says which pull requests are verified (section 1.3, step 3).
	Scope string `yaml:"scope"`
	// CoreTeam is the @org/team that doesn't count as an owner for the scope.
	CoreTeam string `yaml:"core-team"`
	// Requesters asks for write permission of whoever triggers a verification.
	// 2026-08: anybody may.
	Requesters bool `yaml:"requesters"`
	// Mentions are the logins that a Pareto warning calls, without @.
	Mentions []string `yaml:"mentions"`
	// FormerBots are earlier accounts whose verdict comments are ours.
	FormerBots []string `yaml:"former-bots"`
}

// The values of the switches of Checks and Verdict.
const (
	UndecidableWarn   = "warn"
	UndecidableStrict = "strict"

	ReachedRemark   = "remark"
	ReachedWarn     = "warn"
	ReachedAffected = "affected"

	OwnersPass = "pass"
	OwnersFail = "fail"

	ImagesFail   = "fail"
	ImagesWarn   = "warn"
	ImagesIgnore = "ignore"

	ArmPolicy = "policy"
	ArmWarn   = "warn"
	ArmAllow  = "allow"

	OverviewOn      = "overview"
	OverviewSummary = "summary"
	OverviewOff     = "off"

	VerdictBySHA     = "sha"
	VerdictCheckRun  = "check-run"
	VerdictCarry     = "carry"
	VerdictAppend    = "append"
	VerdictBySignOff = "signoff"

	ScopeOwners    = "owners"
	ScopeChangelog = "changelog"
	ScopeAlways    = "always"
)

func newestChecks() Checks {
	return Checks{
		Profile:           "2026-11",
		Undecidable:       UndecidableWarn,
		Reached:           ReachedRemark,
		UnreadableOwners:  OwnersPass,
		TemplateScore:     60,
		OpenSourceImages:  ImagesWarn,
		ArchivedSiblings:  true,
		NonSpeculativeArm: ArmPolicy,
		Overview:          OverviewOn,
		Verdict:           Verdict{Mode: VerdictBySignOff, Scope: ScopeOwners, Requesters: true},
	}
}

// augustChecks are the rules of August 2026: any comment with the phrase starts
// a verification, whose comment and status belong to the head commit.
func augustChecks(c *Checks) {
	c.Profile = "2026-08"
	c.Verdict = Verdict{Mode: VerdictBySHA, Scope: ScopeAlways}
}
