package catalog

// botPartialTexts are the texts of partial sweeps: what they stand on, and the
// command that asks for one.
var botPartialTexts = []Text{
	{"bot.partial-run", "this sweep is partial: {points} of {total} points run, {count} stand from run {run} at commit {since}", "for a sweep that can be reused, remove the label for partial sweeps and add the sweep label again", "本次扫描不完整：{total} 个点中运行 {points} 个，{count} 个点沿用运行 {run} 在提交 {since} 的测量", "需要可复用的扫描时，请移除部分扫描标签，再重新添加扫描标签"},
	{"bot.partial-nothing", "nothing is stale: all {count} points stand from run {run} at commit {since}, and nothing runs", "for a sweep that can be reused, remove the label for partial sweeps and add the sweep label again", "没有过期的点：全部 {count} 个点沿用运行 {run} 在提交 {since} 的测量，不运行任何点", "需要可复用的扫描时，请移除部分扫描标签，再重新添加扫描标签"},
	{"bot.partial-none", "the full sweep runs although a partial one was asked for: {reason}", "", "虽然请求的是部分扫描，但仍运行完整扫描：{reason}", ""},

	// What a comment says of a partial sweep.
	{"bot.progress-partial", "partial", "", "部分扫描", ""},
	{"bot.progress-partial-note", "Partial: {points} of {total} points run, {count} stand from {run} at commit {sha}. It cannot be reused as a full sweep.", "", "部分扫描：{total} 个点中运行 {points} 个，{count} 个点沿用 {run} 在提交 {sha} 的测量。不能作为完整扫描复用。", ""},
	{"bot.progress-partial-unknown", "Partial: points are left out that an earlier run stands for. It cannot be reused as a full sweep.", "", "部分扫描：省略了先前运行仍然有效的点。不能作为完整扫描复用。", ""},
	{"bot.progress-full-instead", "A partial sweep was asked for, and the full one runs: no earlier sweep can be stood on. The job setup says why.", "", "请求的是部分扫描，但运行的是完整扫描：没有可以作为依据的先前扫描。原因见作业 setup。", ""},
	{"bot.progress-is-current", "Nothing is stale at {sha}: no point had to run", "", "{sha} 没有过期的点：无需运行任何点", ""},

	// The command for a partial sweep.
	{"bot.stale-said", "the edit of the comment on #{number} leaves its command as it was", "", "#{number} 上的评论经编辑后，其中的命令没有变化", ""},
	{"bot.stale-permission", "{login} may not write to this repository, and so may not ask for a sweep", "ask somebody who may", "{login} 没有本仓库的写权限，不能请求扫描", "请有写权限的人来请求"},
	{"bot.stale-usage", "the command is malformed", "write a line that is /sweep-stale, /sweep-stale <run id> or /sweep-stale <commit>, and nothing else", "命令格式有误", "请单独写一行 /sweep-stale、/sweep-stale <运行编号> 或 /sweep-stale <提交>"},
	{"bot.stale-off", "partial sweeps are off in this repository (labels.only-stale)", "add a sweep label for a full one", "本仓库未启用部分扫描（labels.only-stale）", "请添加扫描标签以运行完整扫描"},
	{"bot.stale-no-dispatch", "{workflow} of the base branch cannot be dispatched with the input since", "add the label {label} instead, or let the workflow be dispatched as in run-sweep-dispatched.yml", "基准分支的 {workflow} 不能带输入 since 派发", "请改用标签 {label}，或按 run-sweep-dispatched.yml 让该工作流可以派发"},
	{"bot.stale-busy", "run {run} is sweeping this pull request", "give the command again when it has ended", "运行 {run} 正在扫描该拉取请求", "请在其结束后再次发出命令"},
	{"bot.stale-starts", "a partial sweep starts, which stands on run {run}", "", "部分扫描开始，以运行 {run} 为依据", ""},
	{"bot.stale-refused", "No partial sweep was started:", "", "没有启动部分扫描：", ""},
	{"bot.stale-started", "A partial sweep of {head} was started: it leaves out the points that {since} at {sha} still stands for. It cannot be reused as a full sweep.", "", "已启动 {head} 的部分扫描：省略 {since}（{sha}）仍然有效的点。它不能作为完整扫描复用。", ""},
	{"bot.stale-is", "It is {run}.", "", "即 {run}。", ""},

	// Which earlier run a partial sweep can stand on.
	{"bot.since-none", "no finished sweep of pull request #{number} is there to stand on", "run a full sweep first: add a sweep label alone", "拉取请求 #{number} 没有可以作为依据的已完成扫描", "请先运行一次完整扫描：只添加一个扫描标签"},
	{"bot.since-none-usable", "no finished sweep of pull request #{number} can be stood on; of the newest: {reason}", "run a full sweep: add a sweep label alone", "拉取请求 #{number} 没有可以作为依据的扫描；最新一次：{reason}", "请运行一次完整扫描：只添加一个扫描标签"},
	{"bot.since-unknown", "this repository has no run {run}", "give the number of a sweep run of this pull request", "本仓库没有运行 {run}", "请给出该拉取请求的扫描运行编号"},
	{"bot.since-foreign", "run {run} is no sweep of a commit of pull request #{number}", "give the number of a sweep run of this pull request", "运行 {run} 不是拉取请求 #{number} 中某个提交的扫描", "请给出该拉取请求的扫描运行编号"},
	{"bot.since-no-commit", "no finished sweep measured commit {commit} of pull request #{number}", "give a commit of this pull request that was swept, or the number of a run", "没有已完成的扫描测量过拉取请求 #{number} 的提交 {commit}", "请给出该拉取请求中扫描过的提交，或一个运行编号"},
	{"bot.since-unfinished", "run {run} has not finished", "wait until it has", "运行 {run} 尚未结束", "请等待其结束"},
	{"bot.since-partial", "run {run} was partial itself", "give a full sweep", "运行 {run} 本身就是部分扫描", "请给出一次完整扫描"},
	{"bot.since-no-plan", "run {run} has no plan that can still be read", "run a full sweep", "运行 {run} 没有仍可读取的计划", "请运行一次完整扫描"},
	{"bot.since-no-results", "run {run} has no results that can still be read", "run a full sweep", "运行 {run} 没有仍可读取的结果", "请运行一次完整扫描"},
	{"bot.since-plan", "the plan of run {run} cannot be believed: {detail}", "run a full sweep", "运行 {run} 的计划不可信：{detail}", "请运行一次完整扫描"},
	{"bot.since-fast", "run {run} and this sweep differ in the fast mode ({label})", "give a sweep in the same mode, or run a full one", "运行 {run} 与本次扫描的快速模式（{label}）不同", "请给出同一模式的扫描，或运行一次完整扫描"},
	{"bot.since-nothing-passed", "no point of run {run} passed", "run a full sweep", "运行 {run} 没有任何点通过", "请运行一次完整扫描"},
	{"bot.since-workflow", "run {run} ran with other workflow files than those of the base branch", "run a full sweep once they are merged", "运行 {run} 使用的工作流文件与基准分支不同", "请在它们合并后运行一次完整扫描"},
	{"bot.since-commit", "what run {run} measured cannot be proved: {detail}", "run a full sweep", "无法证明运行 {run} 测量的内容：{detail}", "请运行一次完整扫描"},
}
