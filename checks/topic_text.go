package checks

// ruleTexts are the codes of the catalogue that say what a topic asks for and
// what clears its row.
var ruleTexts = map[Topic]string{
	TopicCodeOwner:      "check.codeowner",
	TopicSweep:          "check.sweep",
	TopicEvals:          "check.evals",
	TopicUpstreamRecipe: "check.recipe",
	TopicReuseCommand:   "check.reuse-command",
	TopicTemplate:       "check.template",
	TopicImages:         "check.images",
	TopicDeprecated:     "check.deprecated",
	TopicArchitecture:   "check.architecture",
	TopicChatTemplate:   "check.chat-template",
	TopicEnginePatches:  "check.engine-patches",
	TopicGoldenAL:       "check.golden-al",
	TopicAppendOnly:     "check.append-only",
	TopicDraftPrecision: "check.draft-precision",
	TopicPareto:         "check.pareto",
	TopicDescription:    "check.pr-description",
	TopicOverview:       "check.nvidia-overview",
	TopicMetrics:        "check.metrics-publication",
	TopicConsistency:    "check.consistency",
}

// RuleText is the code of the catalogue that says what the topic asks for.
func (t Topic) RuleText() string { return ruleTexts[t] }
