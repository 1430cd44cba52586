package catalog

// reuseTexts are the texts of the rules for a run that a reuse command names.
var reuseTexts = []Text{
	{"reuse.run-event", "run {run} was started by {found}, not by pull_request", "name a sweep of this pull request", "运行 {run} 由 {found} 触发，而不是 pull_request", "请指定该拉取请求的扫描"},
	{"reuse.run-not-completed", "run {run} has not finished: it is {found}", "wait until it has", "运行 {run} 尚未结束：{found}", "请等待其结束"},
	{"reuse.run-conclusion", "run {run} ended as {found}, which is no source", "name a sweep that ended", "运行 {run} 的结论是 {found}，不能作为来源", "请指定一次正常结束的扫描"},
	{"reuse.run-workflow", "run {run} is of {found} and not of the sweep workflow", "name a run of the sweep workflow", "运行 {run} 属于 {found}，而不是扫描工作流", "请指定扫描工作流的运行"},
	{"reuse.run-no-head-sha", "GitHub names no commit for run {run}", "name another run", "GitHub 没有给出运行 {run} 的提交", "请指定另一个运行"},
	{"reuse.run-head-not-in-pr", "run {run} measured {found}, which is no commit of this pull request", "name a run of a commit that the pull request still has", "运行 {run} 测量的是 {found}，它不是该拉取请求的提交", "请指定拉取请求现有提交的运行"},
	{"reuse.run-no-result-artifacts", "run {run} has no results that can still be read", "name a run with results, or sweep again", "运行 {run} 没有仍可读取的结果", "请指定有结果的运行，或重新扫描"},
	{"reuse.run-partial", "run {run} is a partial sweep: it left out the points that an earlier run stands for, and cannot be reused as a full one", "name a full sweep, or remove the label for partial sweeps and sweep again", "运行 {run} 是部分扫描：省略了先前运行仍然有效的点，不能作为完整扫描复用", "请指定一次完整扫描，或移除部分扫描标签后重新扫描"},
}
