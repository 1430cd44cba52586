package catalog

// labelTexts are the texts of label and event decisions.
var labelTexts = []Text{
	// The label set.
	{"labels.conflict", "the sweep labels {labels} exclude each other", "keep exactly one of them and remove the others", "扫描标签 {labels} 互相排斥", "请只保留其中一个，并移除其余标签"},
	{"labels.modifier-alone", "no sweep label is set, and nothing starts by {labels} alone", "add one of {primaries}", "没有扫描标签，仅凭 {labels} 不会启动扫描", "请添加 {primaries} 之一"},
	{"labels.look-alike", "label {label} has no meaning for sweeps, although it resembles {known}", "if {known} is meant, add it instead", "标签 {label} 对扫描没有意义，但它与 {known} 相似", "如果您指的是 {known}，请改用该标签"},

	// Reading labels from text.
	{"labels.too-large", "the label list is {size} bytes long; at most {limit} are read", "give only the labels of the pull request", "标签列表长 {size} 字节，最多读取 {limit} 字节", "请只提供该拉取请求的标签"},
	{"labels.too-many", "more than {limit} labels are given", "give only the labels of the pull request; GitHub allows {limit}", "标签数量超过 {limit} 个", "请只提供该拉取请求的标签；GitHub 最多允许 {limit} 个"},
	{"labels.too-long", "label number {index} is {size} bytes long; at most {limit} are allowed", "correct the name; GitHub allows 50 characters", "第 {index} 个标签长 {size} 字节，最多允许 {limit} 字节", "请修正名称；GitHub 最多允许 50 个字符"},
	{"labels.empty-name", "label number {index} is empty", "remove it or give its name", "第 {index} 个标签为空", "请删除它或填写名称"},
	{"labels.not-utf8", "the label list is not valid UTF-8", "give the names in UTF-8", "标签列表不是有效的 UTF-8", "请以 UTF-8 提供名称"},
	{"labels.json", "the label list is not a JSON array of strings: {detail}", "write it like [\"full-sweep-fail-fast\",\"all-evals\"]", "标签列表不是由字符串组成的 JSON 数组：{detail}", "请写成 [\"full-sweep-fail-fast\",\"all-evals\"] 的形式"},

	// Whether GitHub starts a run.
	{"labels.no-run-event", "event {event} starts no sweep run", "push a commit, or remove the sweep label and add it again", "事件 {event} 不会启动扫描", "请推送一个提交，或移除扫描标签后重新添加"},
	{"labels.no-run-action", "action {action} of a pull request starts no sweep run", "push a commit, or remove the sweep label and add it again", "拉取请求的 {action} 操作不会启动扫描", "请推送一个提交，或移除扫描标签后重新添加"},
	{"labels.no-run-base", "the change goes to branch {branch}; only changes to {base} are swept", "choose {base} as the base branch, then push a commit", "该变更的目标分支是 {branch}，只有目标为 {base} 的变更才会被扫描", "请将基准分支改为 {base}，然后推送一个提交"},
	{"labels.no-run-changelog", "the change does not touch the changelog", "append an entry to the changelog that names the config keys to sweep", "该变更没有修改变更日志", "请在变更日志末尾追加条目，写明要扫描的配置键"},
	{"labels.no-run-conflict", "GitHub starts no run while the pull request conflicts with {base}; what was done meanwhile is lost", "resolve the conflict and push, or remove the label and add it again afterwards", "拉取请求与 {base} 存在冲突时，GitHub 不会启动运行，期间的操作会丢失", "请解决冲突并推送，或在解决后移除标签再重新添加"},
	{"labels.no-run-push", "a push to {base} is never measured; merge ingest publishes the sweep that a reuse command names", "before merging, post /use <run_id> with the run to publish", "推送到 {base} 不会进行测量；合并后由 merge ingest 发布复用命令所指定的扫描", "请在合并前发布 /use <run_id>，指定要发布的运行"},

	// What a run does to a sweep in progress.
	{"labels.run-restarts", "a sweep in progress in group {group} is cancelled, and a new one starts", "", "组 {group} 中正在进行的扫描会被取消，并启动新的扫描", ""},
	{"labels.run-stops", "a sweep in progress in group {group} is cancelled, and none takes its place", "to sweep, do what the sweep step asks for", "组 {group} 中正在进行的扫描会被取消，且不会启动新的扫描", "如需扫描，请按扫描步骤的提示处理"},
	{"labels.run-replaces", "a sweep in progress in group {group} is cancelled; whether a new one starts is not decided yet", "", "组 {group} 中正在进行的扫描会被取消；是否启动新的扫描尚未确定", ""},
	{"labels.run-apart", "label {label} has no meaning for sweeps: the run keeps to its own group {group}, cancels nothing and does nothing", "", "标签 {label} 对扫描没有意义：该运行使用独立的组 {group}，不取消任何运行，也不执行任何作业", ""},

	// Why a step runs, is skipped, fails, or is open.
	{"labels.unrelated-label", "the changed label {label} has no meaning for sweeps", "to sweep, add one of {primaries}", "变更的标签 {label} 对扫描没有意义", "如需扫描，请添加 {primaries} 之一"},
	{"labels.draft", "the pull request is a draft", "mark it ready for review", "该拉取请求是草稿", "请将其标记为可供评审"},
	{"labels.fork", "the head lies in another repository", "a maintainer adds one of {primaries}: exactly the commit then shown is dispatched", "该拉取请求的源分支位于其他仓库", "请由维护者添加 {primaries} 之一：届时只会派发当时显示的那个提交"},
	{"labels.push-unchecked", "a push is not checked again: its pull request was", "", "推送不会再次检查：其拉取请求已检查过", ""},
	{"labels.check-passed", "the changelog check accepts the change", "", "变更日志检查通过", ""},
	{"labels.check-failed", "the changelog check rejects the change", "correct the findings of the changelog check", "变更日志检查未通过", "请修正变更日志检查列出的问题"},
	{"labels.check-open", "the changelog check has not finished", "", "变更日志检查尚未完成", ""},
	{"labels.gate-not-synchronize", "only a push to the pull request asks for a reuse command; action {action} goes by the labels", "", "只有向拉取请求推送提交时才会查询复用命令；{action} 操作按标签处理", ""},
	{"labels.gate-blocked", "a sweep with {labels} cannot be reused, so no reuse command is asked for", "", "带有 {labels} 的扫描不可复用，因此不查询复用命令", ""},
	{"labels.gate-no-primary", "no reuse command is asked for without a sweep label whose results can be reused", "", "没有结果可复用的扫描标签，因此不查询复用命令", ""},
	{"labels.gate-none", "no reuse command is in force", "", "没有生效的复用命令", ""},
	{"labels.gate-reuse", "a reuse command is in force: nothing is measured again", "to measure anyway, remove the sweep label and add it again", "复用命令已生效：不再重新测量", "如仍需测量，请移除扫描标签后重新添加"},
	{"labels.gate-source", "the run that the reuse command names cannot be reused", "post /use <run_id> with a valid run, or remove the sweep label and add it again to measure", "复用命令所指定的运行不可复用", "请用有效的运行发布 /use <run_id>，或移除扫描标签后重新添加以重新测量"},
	{"labels.gate-open", "whether a reuse command is in force is not known yet", "", "尚不知道是否有生效的复用命令", ""},
	{"labels.no-primary", "no sweep label is set: the change is only validated", "add one of {primaries}", "没有扫描标签：仅校验该变更", "请添加 {primaries} 之一"},
	{"labels.skip-marker", "the head commit message contains {marker}", "push a commit whose message does not contain it", "最新提交的说明中包含 {marker}", "请推送一个说明中不含该标记的提交"},
	{"labels.message-open", "the head commit message has not been read yet", "", "尚未读取最新提交的说明", ""},
	{"labels.sweep-runs", "{primary} is the one sweep label", "", "{primary} 是唯一的扫描标签", ""},
	{"labels.push-measures", "no reuse command covers the push to {base}: the full sweep runs", "", "没有复用命令覆盖对 {base} 的推送：运行完整扫描", ""},
	{"labels.push-reuses", "the push to {base} publishes the sweep that the reuse command names, and measures nothing", "", "对 {base} 的推送将发布复用命令所指定的扫描，不进行测量", ""},

	// Fan-out behind the canary.
	{"labels.fanout-runs", "nothing holds the points back", "", "没有任何条件阻止各测点运行", ""},
	{"labels.fanout-cancelled", "the run was cancelled", "start the sweep again: remove the sweep label and add it again", "该运行已被取消", "请重新启动扫描：移除扫描标签后重新添加"},
	{"labels.fanout-setup", "setup did not succeed ({result})", "correct what setup reports, then push", "setup 未成功（{result}）", "请修正 setup 报告的问题，然后推送"},
	{"labels.fanout-selector", "the canary could not be selected ({result}), which counts as a failed canary", "look into job canary-select, then start the sweep again", "无法选出 canary（{result}），按 canary 失败处理", "请查看作业 canary-select，然后重新启动扫描"},
	{"labels.fanout-canary", "{job} did not succeed ({result}): no other point starts", "correct the point that failed, then push", "{job} 未成功（{result}）：其余测点不会启动", "请修正失败的测点，然后推送"},
	{"labels.fanout-open", "{job} has not finished", "", "{job} 尚未完成", ""},

	// Dispatch of an approved fork commit.
	{"labels.dispatch-not-asked", "only adding a sweep label to a fork's pull request to {base} dispatches a commit", "a maintainer adds one of {primaries}", "只有在以 {base} 为目标的 fork 拉取请求上添加扫描标签，才会派发提交", "请由维护者添加 {primaries} 之一"},
	{"labels.dispatch-permission", "the person who added the label may not write to the repository", "a person with write access removes the label and adds it again", "添加标签的人没有仓库写权限", "请由有写权限的人移除标签后重新添加"},
	{"labels.dispatch-closed", "the pull request is not open", "reopen it, then remove the label and add it again", "该拉取请求不是打开状态", "请重新打开，然后移除标签再重新添加"},
	{"labels.dispatch-draft", "the pull request is a draft", "mark it ready for review, then remove the label and add it again", "该拉取请求是草稿", "请标记为可供评审，然后移除标签再重新添加"},
	{"labels.dispatch-same-repo", "the head lies in this repository: the ordinary sweep covers it", "", "源分支位于本仓库：由普通扫描处理", ""},
	{"labels.dispatch-moved", "the head moved from {approved} to {head} after the label was added; the new commit is not approved", "look at the new commit, then remove the label and add it again", "添加标签后，最新提交已从 {approved} 变为 {head}；新提交未获批准", "请查看新提交，然后移除标签再重新添加"},
	{"labels.dispatch-label-gone", "the label that was added, {label}, is no longer the one sweep label of the pull request", "keep exactly one sweep label: remove it and add it again", "所添加的标签 {label} 已不是该拉取请求唯一的扫描标签", "请只保留一个扫描标签：移除后重新添加"},
	{"labels.dispatch-conflict", "GitHub reports no merge commit: the pull request conflicts with {base}", "resolve the conflict, then remove the label and add it again", "GitHub 没有给出合并提交：拉取请求与 {base} 存在冲突", "请解决冲突，然后移除标签再重新添加"},
	{"labels.dispatch-awaits", "the workflows of commit {head} wait for a maintainer's approval; the label is kept and the sweep starts after it", "approve the waiting workflow runs of this commit", "提交 {head} 的工作流正在等待维护者批准；标签会保留，批准后开始扫描", "请批准该提交正在等待的工作流运行"},
	{"labels.dispatch-runs", "commit {head} was approved by label {label}; later commits are not", "", "提交 {head} 已由标签 {label} 批准；之后的提交未获批准", ""},
}
