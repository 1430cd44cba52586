package catalog

// botLiveTexts are the texts of handlers that follow a sweep, read comments and
// publish: why something is done or not.
var botLiveTexts = []Text{
	// Jobs of a run.
	{"bot.job-tells-nothing", "job {job} changes nothing that the progress comment says", "", "作业 {job} 不影响进度评论的内容", ""},
	{"bot.job-too-soon", "the progress comment was brought up to date less than {seconds} seconds before the job changed", "", "进度评论在该作业变化前 {seconds} 秒内刚更新过", ""},

	{"bot.dispatch-unseen", "GitHub took the dispatch of {workflow}, and no run titled '{title}' appeared", "look at the runs of the workflow: its file on the base branch must use the title as run-name, and Actions must be enabled", "GitHub 已接受 {workflow} 的派发，但没有出现标题为 '{title}' 的运行", "请查看该工作流的运行：基准分支上的文件须以该标题作为 run-name，且仓库须启用 Actions"},

	// The sticky comment.
	{"bot.progress-is-stuck", "Sweep of {sha} is stuck: {ended} of {total} points done, and no runner takes the others", "", "{sha} 的扫描停滞：已完成 {ended}/{total} 个测点，其余测点没有运行器接手", ""},
	{"bot.progress-stalled", "Points that wait for a runner with the labels {pool}: {n}. None has been taken since {time}.", "", "{n} 个测点在等待带有标签 {pool} 的运行器，自 {time} 起没有运行器接手。", ""},

	// The report of a run, in the sticky comment.
	{"bot.report-absent", "There is no table of results: the run uploaded no `sweep-report`, or it has expired.", "", "没有结果表：该运行没有上传 `sweep-report`，或其已过期。", ""},
	{"bot.report-too-large", "There is no table of results: the report of the run is too large for a comment.", "", "没有结果表：该运行的报告过大，无法在评论中显示。", ""},
	{"bot.report-unreadable", "There is no table of results: the report of the run cannot be read.", "", "没有结果表：无法读取该运行的报告。", ""},
	{"bot.report-inconsistent", "There is no table of results: the report of the run is about another run or commit, or contradicts the jobs.", "", "没有结果表：报告属于其他运行或提交，或与作业结果相矛盾。", ""},
	{"bot.report-compared", "Against the default branch: {regressed} points worse, {improved} better, {noise} within noise, {unclear} cannot be told.", "", "与默认分支相比：{regressed} 个测点变差，{improved} 个变好，{noise} 个在噪声范围内，{unclear} 个无法判断。", ""},
	{"bot.report-curves", "Pareto curves: {curves}, with {frontier} of {measured} points on the frontier.", "", "帕累托曲线 {curves} 条，{measured} 个测点中有 {frontier} 个位于前沿。", ""},
	{"bot.report-link", "{report}: page, plots, tables.", "", "{report}：页面、曲线图与表格。", ""},
	{"bot.report-name", "Report of the sweep", "", "扫描报告", ""},
	{"bot.report-rows", "Measurements ({n})", "", "测量结果（{n}）", ""},
	{"bot.report-scores", "Evals ({n})", "", "评测（{n}）", ""},
	{"bot.report-point", "Point", "", "测点", ""},
	{"bot.report-task", "Task", "", "任务", ""},
	{"bot.report-score", "Score", "", "得分", ""},
	{"bot.report-score-passed", "passed", "", "通过", ""},
	{"bot.report-score-below-bar", "below the bar", "", "低于门槛", ""},
	{"bot.report-score-broken", "not usable", "", "不可用", ""},
	{"bot.report-score-recorded", "recorded", "", "仅记录", ""},

	// The check run of a sweep.
	{"bot.check-queued", "The sweep is waiting for its jobs", "", "扫描正在等待作业", ""},
	{"bot.check-running", "The sweep is running", "", "扫描正在进行", ""},
	{"bot.check-commit", "Commit {sha}", "", "提交 {sha}", ""},
	{"bot.check-plan-id", "Plan {id}, as in the title of the run.", "", "计划 {id}，与运行标题中的编号相同。", ""},
	{"bot.check-unplaced", "Failed points whose line in the configs is not known:", "", "无法确定其配置行的失败测点：", ""},
	{"bot.check-point", "A point that this line asks for failed", "", "此行所要求的一个测点失败", ""},

	// Comments.
	{"bot.comment-own", "the comment on {number} is our own", "", "{number} 上的评论是我们自己的", ""},
	{"bot.comment-machine", "the comment on {number} was written by a program whose messages are no input here", "", "{number} 上的评论由程序撰写，其消息在此不作为输入", ""},
	{"bot.comment-nothing", "the comment on {number} holds nothing for us", "", "{number} 上的评论与我们无关", ""},
	{"bot.comment-on-issue", "{number} is an issue, and nothing is done for issues", "", "{number} 是 issue，此处不处理 issue", ""},
	{"bot.comment-gone", "the comment on {number} was deleted, so it asks for nothing", "", "{number} 上的评论已被删除，因此无需处理", ""},
	{"bot.comment-no-author", "the comment on {number} has no author any more, so that nobody's rights can be looked up", "", "{number} 上的评论已没有作者，无法查询权限", ""},
	{"bot.comment-by-another", "the comment on {number} was changed by somebody else than its author, so that it is not what the author said", "", "{number} 上的评论被作者以外的人修改，不再是作者所说的内容", ""},
	{"bot.comment-not-whose", "the comment on {number} belongs to somebody else than the event says", "", "{number} 上评论的作者与事件所述不符", ""},

	// Publishing.
	{"bot.publish-off", "nothing is published for commit {commit}: the settings name no repository that takes in results", "", "未发布提交 {commit} 的任何结果：设置中没有接收结果的仓库", ""},
	{"bot.publish-no-pull", "nothing is published for commit {commit}: it is not the merge of a pull request", "merge the change by a pull request, with the number in the commit's message as GitHub writes it; for this commit, open a recovery pull request", "未发布提交 {commit} 的任何结果：它不是某个拉取请求的合并", "请通过拉取请求合并，并在提交信息中保留 GitHub 写入的编号；对于此提交，请打开恢复用的拉取请求"},
	{"bot.publish-no-answer", "nothing is published for commit {commit}: a comment on pull request {number} looks like a reuse command, and nothing here can tell whether it holds", "run it with a version that resolves reuse commands", "未发布提交 {commit} 的任何结果：拉取请求 {number} 上有一条评论看似复用命令，而此处无法判断其是否有效", "请使用能够解析复用命令的版本运行"},
	{"bot.publish-upload", "run {run} is published once the metadata of the plan is uploaded", "", "计划的元数据上传后即发布运行 {run}", ""},
	{"bot.publish-send", "{repository} is told to publish run {run}", "", "通知 {repository} 发布运行 {run}", ""},
	{"bot.publish-no-credential", "{repository} cannot be told: there is no credential for it", "give the job the credential that may send repository dispatches there", "无法通知 {repository}：没有相应的凭据", "请为作业提供可向其发送 repository dispatch 的凭据"},
	{"bot.publish-no-metadata", "run {run} has no changelog-metadata, without which nothing can be published", "upload it before this step", "运行 {run} 没有 changelog-metadata，无法发布", "请在此步骤之前上传"},
	{"bot.publish-no-results", "run {run} has no results that could be published: they were never uploaded, or have expired", "measure again and merge a recovery pull request that names the new run", "运行 {run} 没有可发布的结果：从未上传，或已过期", "请重新测量，并合并指定新运行的恢复用拉取请求"},
	{"bot.publish-title", "Published sweep", "", "发布的扫描", ""},
	{"bot.publish-pull", "Pull request", "", "拉取请求", ""},
	{"bot.publish-run", "Run", "", "运行", ""},
	{"bot.publish-commit", "Commit", "", "提交", ""},

	// Closing.
	{"bot.close-cancels", "pull request {number} was closed without a merge, so its unfinished sweep is pointless", "", "拉取请求 {number} 未合并即关闭，其未完成的扫描不再需要", ""},
}
