package catalog

// botSignOffTexts are what the summary of a verdict and the answer to a request
// for a draft say, and the words of rows in both languages.
var botSignOffTexts = []Text{
	{"bot.signoff-link", "The sign-off", "", "该签核", ""},
	{"bot.signoff-check", "Check", "", "检查", ""},
	{"bot.signoff-word", "Status", "", "状态", ""},
	{"bot.signoff-reason", "Reason", "", "理由（英文）", ""},

	{"bot.overall-pass", "PASS", "", "通过", ""},
	{"bot.overall-warn", "WARN", "", "警告", ""},
	{"bot.overall-rejected", "REJECTED", "", "驳回", ""},
	{"bot.status-pass", "PASS", "", "通过", ""},
	{"bot.status-fail", "FAIL", "", "未通过", ""},
	{"bot.status-warn", "WARN", "", "警告", ""},
	{"bot.status-na", "N/A", "", "不适用", ""},

	{"bot.check-codeowner", "CODEOWNER", "", "代码所有者", ""},
	{"bot.check-sweep", "Passing sweep on in-PR commit", "", "本拉取请求的提交上有通过的扫描", ""},
	{"bot.check-evals", "Evals", "", "评测", ""},
	{"bot.check-recipe", "Upstream recipe", "", "上游配方", ""},
	{"bot.check-reuse-command", "Reuse command", "", "复用命令", ""},
	{"bot.check-template", "Checklist template", "", "清单模板", ""},
	{"bot.check-images", "Upstream images / engine-first", "", "上游镜像／引擎优先", ""},
	{"bot.check-deprecated", "Deprecated models", "", "已弃用的模型", ""},
	{"bot.check-architecture", "No architecture hacks", "", "不改动模型架构", ""},
	{"bot.check-chat-template", "Chat template", "", "对话模板", ""},
	{"bot.check-engine-patches", "No engine patches", "", "不给引擎打补丁", ""},
	{"bot.check-golden-al", "Agentic golden AL", "", "智能体任务的黄金接受长度", ""},
	{"bot.check-append-only", "Append-only", "", "仅追加", ""},
	{"bot.check-draft-precision", "Draft precision", "", "草稿模型精度", ""},
	{"bot.check-pareto", "Pareto coverage", "", "帕累托覆盖", ""},
	{"bot.check-pr-description", "PR description", "", "拉取请求描述", ""},
	{"bot.check-nvidia-overview", "NVIDIA overview", "", "NVIDIA 概览", ""},
	{"bot.check-metrics-publication", "Metrics publication", "", "指标发布", ""},
	{"bot.check-consistency", "Recipe/image/sweep consistency", "", "配方、镜像与扫描一致", ""},

	{"bot.draft-why", "@{signer} asked for a draft of the checklist at {head}", "", "@{signer} 请求在 {head} 上的清单草稿", ""},
	{"bot.draft-text", "The checklist for {signer}, filled in with what the evidence shows at {head}. It is no sign-off: read it, decide the open items, and post the text as your own comment.", "",
		"为 {signer} 准备的清单，已按 {head} 上的证据填写。它不是签核：请阅读、判断未勾选的条目，并以自己的评论发表。", ""},
	{"bot.draft-too-large", "The draft is too long for a comment; `sweepbot signoff draft` prints it.", "", "草稿过长，无法放入评论；请运行 `sweepbot signoff draft` 输出。", ""},
	{"bot.draft-no-template", "There is no template of a checklist in {file} at the target branch.", "", "目标分支的 {file} 中没有清单模板。", ""},
}
