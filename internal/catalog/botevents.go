package catalog

// botEventTexts are the texts of event handlers: why an effect is wanted or
// not, and what comments, summaries and checks say.
var botEventTexts = []Text{
	// Reading an event.
	{"bot.payload-size", "the event has more than {limit} bytes", "GitHub sends no such event; look at where it comes from", "事件超过 {limit} 字节", "GitHub 不会发送这样的事件，请查明来源"},
	{"bot.payload-depth", "the event nests deeper than {limit} levels", "GitHub sends no such event; look at where it comes from", "事件嵌套超过 {limit} 层", "GitHub 不会发送这样的事件，请查明来源"},
	{"bot.payload-json", "the event is no JSON document: {detail}", "have GitHub deliver it again, or give --event-path the file that GITHUB_EVENT_PATH names", "事件不是 JSON 文档：{detail}", "请让 GitHub 重新投递，或用 --event-path 指定 GITHUB_EVENT_PATH 所指的文件"},
	{"bot.payload-field", "the field {field} of the event cannot be used: {detail}", "GitHub sends no such event; look at where it comes from", "事件的字段 {field} 无法使用：{detail}", "GitHub 不会发送这样的事件，请查明来源"},
	{"bot.event-other-repository", "the event is of repository {repository}, which is not handled here", "", "事件属于仓库 {repository}，此处不处理", ""},
	{"bot.event-not-handled", "this version has no handler for the event {event} {action} here", "", "此版本没有处理此处事件 {event} {action} 的程序", ""},

	{"bot.requests", "Requests to GitHub: {n}, of which {unchanged} found nothing new and {writes} wrote.", "", "对 GitHub 的请求：{n} 次，其中 {unchanged} 次无变化，{writes} 次为写入。", ""},
	{"bot.no-effects", "Nothing to do.", "", "无需处理。", ""},

	// Performing effects.
	{"bot.held", "not done, since {needs} was not", "see why that failed", "未执行，因为 {needs} 未完成", "请查看其失败原因"},
	{"bot.no-account", "it is not known which account we write with, so no comment can be recognised as ours", "give the numeric id of the account", "不知道以哪个账号写入，因此无法识别我们自己的评论", "请给出该账号的数字 ID"},
	{"bot.no-host", "this effect belongs to a job of GitHub Actions, and there is none", "run it in a job, or with --dry-run", "该操作属于 GitHub Actions 作业，而当前没有作业", "请在作业中运行，或使用 --dry-run"},
	{"bot.comment-contended", "others keep rewriting the comment on {topic}", "run it again; if it goes on, look who writes it", "关于 {topic} 的评论不断被其他程序改写", "请重新运行；若仍如此，请查看是谁在改写"},
	{"bot.dispatch-moved", "the head moved from {decided} to {head} before the workflow was started; nothing was started", "the push to the new head is handled by itself; on a fork, remove the label and add it again", "启动工作流之前，最新提交已从 {decided} 变为 {head}；未启动任何工作流", "对新提交的推送会另行处理；对于 fork，请移除标签后重新添加"},
	{"bot.dispatch-closed", "pull request {number} is not open any more; nothing was started", "reopen it, then add the label again", "拉取请求 {number} 已不再打开；未启动任何工作流", "请重新打开，然后重新添加标签"},
	{"bot.sweep-open", "whether to sweep cannot be decided: {reason}", "remove the sweep label and add it again to measure, or delete the comment that looks like a reuse command", "无法决定是否扫描：{reason}", "如需测量，请移除扫描标签后重新添加；或删除看似复用命令的评论"},

	// Why something is done or not.
	{"bot.pull-closed", "pull request {number} is not open", "", "拉取请求 {number} 不是打开状态", ""},
	{"bot.run-event", "the run was started by {event}, which no sweep is", "", "该运行由 {event} 启动，扫描不会由其启动", ""},
	{"bot.run-workflow", "the run is of {workflow}, which is no sweep workflow", "", "该运行属于 {workflow}，不是扫描工作流", ""},
	{"bot.run-no-pull", "run {run} belongs to no open pull request: none has its repository, branch and commit", "", "运行 {run} 不属于任何打开的拉取请求：没有一个与其仓库、分支和提交相符", ""},
	{"bot.schedule-idle", "no sweep is running", "", "没有正在进行的扫描", ""},
	{"bot.rerun", "only machines failed {count} jobs of run {run}, and the settings let them run again", "", "运行 {run} 中有 {count} 个作业仅因机器故障失败，设置允许重新运行", ""},
	{"bot.run-double", "run {run} is a double of run {original}, which measures the same for the same wish", "", "运行 {run} 与运行 {original} 重复：两者出于同一要求、测量同样的内容", ""},
	{"bot.run-state", "run {run}: {state}", "", "运行 {run}：{state}", ""},
	{"bot.merge-cancels-nothing", "nothing is cancelled: the settings let its sweeps run on, or the pull request is open again", "", "不取消任何运行：设置允许其扫描继续，或拉取请求已重新打开", ""},
	{"bot.merge-cancels", "pull request {number} is merged, so its unfinished sweep is pointless", "", "拉取请求 {number} 已合并，其未完成的扫描不再需要", ""},
	{"bot.merge-nothing-left", "no unfinished sweep of the pull request is left", "", "该拉取请求没有未完成的扫描", ""},
	{"bot.push-is-a-job", "pushes are published by a job of the merge ingest workflow", "", "推送由 merge ingest 工作流的作业发布", ""},
	{"bot.publish-not-authorised", "nothing is published for commit {commit}: no reuse command authorises a run", "before merging, post /use <run_id> with the run to publish; for this commit, open a recovery pull request", "未发布提交 {commit} 的任何结果：没有复用命令授权某个运行", "请在合并前发布 /use <run_id>，指定要发布的运行；对于此提交，请打开恢复用的拉取请求"},
	{"bot.fork-off", "this repository does not measure commits of forks", "", "本仓库不测量 fork 的提交", ""},
	{"bot.fork-already", "the approval has been used: run {run} measures the commit", "", "该批准已被使用：运行 {run} 正在测量该提交", ""},
	{"bot.fork-no-approval", "no person put a sweep label on pull request {number} for this commit", "", "没有人为此提交在拉取请求 {number} 上添加扫描标签", ""},
	{"bot.workflow-unreadable", "the workflow cannot be read: {detail}", "add it to the base branch, or correct workflows.manual in .github/sweepbot.yml", "无法读取该工作流：{detail}", "请将其加入基准分支，或修正 .github/sweepbot.yml 中的 workflows.manual"},
	{"bot.workflow-no-dispatch", "the workflow has no workflow_dispatch, so it cannot be started", "add workflow_dispatch to its events on the base branch", "该工作流没有 workflow_dispatch，无法启动", "请在基准分支上为其添加 workflow_dispatch 事件"},
	{"bot.welcome-why", "the author has not been greeted yet", "", "尚未向作者致意", ""},
	{"bot.welcome-not-here", "only pull requests to {base} that are open are greeted", "", "仅向目标为 {base} 且打开的拉取请求致意", ""},
	{"bot.welcome-not-needed", "the pull request touches no config, benchmark or changelog", "", "该拉取请求未修改配置、基准测试或变更日志", ""},

	// Cutting long texts.
	{"bot.cut-one", "... and {n} more.", "", "……另有 {n} 项。", ""},
	{"bot.cut-many", "... and {n} more.", "", "……另有 {n} 项。", ""},
	{"bot.cut-hard", "... the rest does not fit here.", "", "……其余内容超出长度限制。", ""},
	{"bot.annotations-cut", "{n} more findings are not shown on their lines.", "", "另有 {n} 条未在对应行上显示。", ""},
	{"bot.mend-joint", ". Mend: ", "", "。修正：", ""},

	// The sticky comment: how a run stands.
	{"bot.progress-is-queued", "Sweep of {sha} is waiting for its jobs", "", "{sha} 的扫描正在等待作业", ""},
	{"bot.progress-is-running", "Sweep of {sha}: {ended} of {total} points done", "", "{sha} 的扫描：已完成 {ended}/{total} 个测点", ""},
	{"bot.progress-is-passed", "Sweep of {sha}: {passed} of {total} points passed", "", "{sha} 的扫描：{passed}/{total} 个测点通过", ""},
	{"bot.progress-is-failed", "Sweep of {sha}: {failed} of {total} points failed", "", "{sha} 的扫描：{failed}/{total} 个测点失败", ""},
	{"bot.progress-is-cancelled", "Sweep of {sha} was cancelled with {passed} of {total} points passed", "", "{sha} 的扫描已取消，其中 {passed}/{total} 个测点通过", ""},
	{"bot.progress-is-incomplete", "Sweep of {sha} is incomplete: {passed} of {total} points passed", "", "{sha} 的扫描不完整：{passed}/{total} 个测点通过", ""},
	{"bot.progress-is-no-results", "Sweep of {sha}: {passed} of {total} points passed, but no results were uploaded", "", "{sha} 的扫描：{passed}/{total} 个测点通过，但没有上传结果", ""},
	{"bot.progress-is-nothing", "Run on {sha} measured nothing", "", "{sha} 上的运行没有测量任何测点", ""},
	{"bot.progress-is-refused", "Sweep of {sha} failed before any point ran", "", "{sha} 的扫描在任何测点运行之前失败", ""},
	{"bot.progress-is-waiting", "Sweep of {sha} waits for the approval of a maintainer", "", "{sha} 的扫描正在等待维护者批准", ""},

	// Its parts.
	{"bot.progress-label", "label {label}", "", "标签 {label}", ""},
	{"bot.progress-run", "run {id}", "", "运行 {id}", ""},
	{"bot.progress-attempt", "attempt {n}", "", "第 {n} 次尝试", ""},
	{"bot.progress-running-n", "{n} running", "", "{n} 个运行中", ""},
	{"bot.progress-waiting-n", "{n} waiting", "", "{n} 个等待中", ""},
	{"bot.progress-families", "Job families", "", "作业族", ""},
	{"bot.progress-family", "Family", "", "作业族", ""},
	{"bot.progress-done", "Passed", "", "通过", ""},
	{"bot.progress-failed", "Not passed", "", "未通过", ""},
	{"bot.progress-points", "Points", "", "测点", ""},
	{"bot.progress-canary-waiting", "The canary has not started; nothing else runs before it passes.", "", "金丝雀测点尚未开始；在其通过之前不会运行其他测点。", ""},
	{"bot.progress-canary-running", "The canary is running; nothing else runs before it passes.", "", "金丝雀测点正在运行；在其通过之前不会运行其他测点。", ""},
	{"bot.progress-canary-passed", "The canary passed.", "", "金丝雀测点已通过。", ""},
	{"bot.progress-canary-failed", "The canary did not pass, so no other point was started.", "", "金丝雀测点未通过，因此没有启动其他测点。", ""},
	{"bot.progress-eta", "Done at about {time}, if the rest takes as long as the {n} points that passed.", "", "若其余测点与已通过的 {n} 个测点用时相当，约于 {time} 完成。", ""},
	{"bot.progress-fork", "Exactly commit {sha} was approved; for later commits, a maintainer removes the label and adds it again.", "", "仅批准了提交 {sha}；对于之后的提交，请维护者移除标签后重新添加。", ""},
	{"bot.progress-outdated", "It measures {sha}; the head of the pull request is now {head}.", "", "其测量的是 {sha}；拉取请求的最新提交现为 {head}。", ""},
	{"bot.progress-results", "Unofficial results:", "", "非正式结果：", ""},
	{"bot.progress-performance", "performance", "", "性能", ""},
	{"bot.progress-accuracy", "accuracy", "", "精度", ""},
	{"bot.progress-failures", "Points that failed", "", "失败的测点", ""},
	{"bot.progress-first-failures", "Failed, the first one first:", "", "失败的测点（按失败时间排序）：", ""},
	{"bot.progress-log", "log", "", "日志", ""},
	{"bot.progress-no-runner", "(it never reached a runner, which is no fault of the change)", "", "（未分配到 runner，与该变更无关）", ""},
	{"bot.progress-earlier", "Earlier runs ({n})", "", "之前的运行（{n}）", ""},
	{"bot.progress-run-column", "Run", "", "运行", ""},
	{"bot.progress-state-column", "State", "", "状态", ""},

	// What the head asks for.
	{"bot.progress-none", "No sweep yet", "", "尚无扫描", ""},
	{"bot.progress-refused", "No sweep of {sha}: the change is refused", "", "不扫描 {sha}：该变更被拒绝", ""},
	{"bot.progress-starts", "Sweep of {sha} is about to start: {total} points", "", "即将开始扫描 {sha}：共 {total} 个测点", ""},
	{"bot.progress-idle", "No sweep of {sha}", "", "不扫描 {sha}", ""},
	{"bot.progress-head", "Now, at {sha}:", "", "目前，在 {sha}：", ""},
	{"bot.progress-plan", "{total} points, {evals} of them evals.", "", "共 {total} 个测点，其中评测 {evals} 个。", ""},
	{"bot.progress-plan-canary", "Canary, before all others: {title}", "", "金丝雀测点，先于其他测点运行：{title}", ""},
	{"bot.progress-problems", "Findings ({n})", "", "检查结果（{n}）", ""},

	// Checks and statuses.
	{"bot.check-refused", "The change is refused", "", "该变更被拒绝", ""},
	{"bot.status-pending", "the sweep is running", "", "扫描正在进行", ""},
	{"bot.status-finished", "{passed} of {total} points passed", "", "{passed}/{total} 个测点通过", ""},

	// Forks.
	{"bot.fork-dispatched", "Commit {sha} was approved and is measured: {run}. The approval is for this commit only. To measure a later one, a maintainer removes the sweep label and adds it again. Results of such runs cannot be reused.", "", "提交 {sha} 已获批准并正在测量：{run}。批准仅对此提交有效。如需测量之后的提交，请维护者移除扫描标签后重新添加。此类运行的结果不可复用。", ""},
	{"bot.fork-workflow", "runs of the workflow", "", "该工作流的运行", ""},
	{"bot.fork-refused", "Nothing was started:", "", "未启动任何运行：", ""},
	{"bot.fork-waits", "Nothing was started yet:", "", "尚未启动：", ""},

	// The welcome comment.
	{"bot.welcome-thanks", "Thank you for the contribution! Here is how it gets measured and merged.", "", "感谢您的贡献！以下说明其测量与合并流程。", ""},
	{"bot.welcome-review", "**Review.** If files change that belong to somebody else than the administrators and the core team, first ask one of their code owners to fill in the latest {checklist}, before you ask a core maintainer. The template must be followed exactly and keep the words `As a PR reviewer and CODEOWNER, I have reviewed this and have`, otherwise no verification starts.", "", "**评审。** 如果修改的文件属于管理员和核心团队以外的人，请先请其中一位代码所有者填写最新的 {checklist}，然后再联系核心维护者。必须严格按照模板填写，并保留 `As a PR reviewer and CODEOWNER, I have reviewed this and have` 这句话，否则不会启动验证。", ""},
	{"bot.welcome-sweep", "**Measurement.** A sweep runs only if the change appends an entry to the changelog and carries exactly one of these labels:", "", "**测量。** 仅当变更在变更日志末尾追加了条目，并且恰好带有以下标签之一时，才会运行扫描：", ""},
	{"bot.welcome-does-canary-fail-fast", "one point runs ahead of all others, and the first failure of a job family stops that family.", "", "先运行一个测点，之后同一作业族中第一个失败会中止该族。", ""},
	{"bot.welcome-does-canary", "one point runs ahead of all others; afterwards a failure stops nothing.", "", "先运行一个测点，之后的失败不会中止任何测点。", ""},
	{"bot.welcome-does-fail-fast", "all points start at once, and the first failure of a job family stops that family.", "", "所有测点同时开始，同一作业族中第一个失败会中止该族。", ""},
	{"bot.welcome-does-all", "all points start at once, and a failure stops nothing.", "", "所有测点同时开始，失败不会中止任何测点。", ""},
	{"bot.welcome-does-trim", "a quick look: only the lowest concurrency of every curve. Its results cannot be reused.", "", "快速检查：每条曲线只运行最低并发。其结果不可复用。", ""},
	{"bot.welcome-recommended", "Strongly recommended.", "", "强烈推荐。", ""},
	{"bot.welcome-modifiers", "{labels} change a sweep and start none: they need one of the labels above.", "", "{labels} 仅改变扫描方式，不会启动扫描：需要与上述标签之一同时使用。", ""},
	{"bot.welcome-forks", "On a pull request from a fork, a maintainer adds the label.", "", "对于来自 fork 的拉取请求，由维护者添加标签。", ""},
	{"bot.welcome-guide", "All about labels and the reuse of a sweep", "", "关于标签与扫描复用的完整说明", ""},
	{"bot.welcome-merge", "**After the merge.** Please see to it that all jobs of the merge pass. Failures that come and go often pass on a {guide}.", "", "**合并之后。** 请确保合并触发的所有作业通过。偶发性失败通常在{guide}后即可通过。", ""},
	{"bot.welcome-rerun", "re-run", "", "重新运行", ""},
}
