package catalog

// jobsTexts are the texts of the jobs of the sweep workflows.
var jobsTexts = []Text{
	{"jobs.no-variable", "the environment variable {name} is missing or wrong", "run this command in the workflow that it belongs to; docs/workflows.md lists what it needs", "环境变量 {name} 缺失或有误", "请在该命令所属的工作流中运行；docs/workflows.md 列出了所需的变量"},
	{"jobs.file", "the file cannot be read or written: {detail}", "look at the disk and the rights of the runner", "无法读写文件：{detail}", "请检查运行器的磁盘与权限"},
	{"jobs.too-large", "the value is larger than {limit}", "split the change into several pull requests", "该值超过 {limit}", "请将改动拆分为多个拉取请求"},
	{"jobs.event", "a sweep cannot be about the event '{event}'", "call the workflow on pull_request events only", "测试不能针对事件 '{event}'", "请仅在 pull_request 事件上调用此工作流"},
	{"jobs.sweep-value", "the value that pins the sweep cannot be used: {detail}", "pass the output sweep of the job setup on as it is", "无法使用固定本次测试的值：{detail}", "请原样传递 setup 作业的输出 sweep"},
	{"jobs.point-value", "the value that names the point cannot be used: {detail}", "pass one element of the matrix on as it is", "无法使用指定测点的值：{detail}", "请原样传递矩阵中的一个元素"},
	{"jobs.plan", "the plan cannot be used: {detail}", "start the sweep again, so that it is planned anew", "无法使用该计划：{detail}", "请重新启动测试以重新生成计划"},
	{"jobs.digest", "the file has SHA-256 {got}, but {want} was planned", "do not use this run: its artifact is not what was uploaded; start the sweep again", "文件的 SHA-256 为 {got}，而计划中为 {want}", "请勿使用此次运行：其产物与上传时不符；请重新启动测试"},
	{"jobs.other-commit", "commit {got} is checked out, but the sweep is about {want}", "start the sweep again from the newest commit", "检出的提交是 {got}，而本次测试针对 {want}", "请从最新提交重新启动测试"},
	{"jobs.runner-label", "'{runner}' cannot be a runner label", "use a label without blanks, quotes and backslashes", "'{runner}' 不能作为运行器标签", "请使用不含空白、引号和反斜杠的标签"},
	{"jobs.queue-token", "the row has no usable priority ('{priority}') and queue token ('{token}')", "add a priority policy to the base branch, or switch the priority scheduler off", "该行没有可用的优先级（'{priority}'）和队列令牌（'{token}'）", "请在基准分支中添加优先级策略，或关闭优先级调度"},
	{"jobs.too-many-points", "the {points} points of the plan need {chars} characters of job outputs, but {limit} fit", "split the change into several pull requests", "计划中的 {points} 个测点需要 {chars} 个字符的作业输出，而上限为 {limit}", "请将改动拆分为多个拉取请求"},
	{"jobs.no-canary", "the canary '{id}' is not among the points", "start the sweep again; until then it counts as failed", "测点中没有金丝雀 '{id}'", "请重新启动测试；在此之前视为失败"},
	{"jobs.queue-unknown", "nobody can tell whether cluster jobs named {name} are still there: {detail}", "look at the queue of the cluster, then run the job again", "无法确定名为 {name} 的集群作业是否仍存在：{detail}", "请查看集群队列，然后重新运行该作业"},
	{"jobs.queue-not-empty", "cluster jobs named {name} do not go away: {jobs}", "cancel them by hand, then run the job again", "名为 {name} 的集群作业无法结束：{jobs}", "请手动取消它们，然后重新运行该作业"},
	{"jobs.gate-invalid", "a reuse command is in force, but its run cannot be reused", "name another run, or apply the sweep label again to measure", "存在生效的复用命令，但其运行不可复用", "请指定其他运行，或重新添加测试标签以进行测量"},
	{"jobs.gate-open", "a comment looks like a reuse command, and whether it holds is not known here", "apply the sweep label again to measure, or delete the command", "有评论形似复用命令，而此处无法判断其是否有效", "请重新添加测试标签以进行测量，或删除该命令"},
	{"jobs.artifacts", "the artifacts cannot be used: {detail}", "look at the jobs that uploaded them", "无法使用这些产物：{detail}", "请检查上传它们的作业"},
	{"jobs.nothing-collected", "there is no {what} result to collect", "look at the jobs that should have produced it", "没有可收集的 {what} 结果", "请检查本应产生该结果的作业"},
	{"jobs.not-successful", "job {job} ended as {result}", "look at its first failing point; run it again if that was the machine", "作业 {job} 的结果是 {result}", "请查看其首个失败的测点；若是机器问题请重新运行"},
}
