package catalog

// storyTexts are the steps and expectations of app/story, and what can keep a
// story from being told.
var storyTexts = []Text{
	{Code: "story.unknown", EN: "there is no story '{name}'", ENMend: "use one of: {names}", ZH: "没有名为 '{name}' 的情景", ZHMend: "请使用以下之一：{names}"},
	{Code: "story.engine", EN: "there is no engine '{name}'", ENMend: "use one of: {names}", ZH: "没有名为 '{name}' 的引擎", ZHMend: "请使用以下之一：{names}"},
	{Code: "story.program", EN: "where this program is cannot be told: {detail}", ENMend: "start it by its path, and leave its file in place", ZH: "无法得知本程序所在位置：{detail}", ZHMend: "请用路径启动本程序，并保留其文件"},
	{Code: "story.folder", EN: "no folder for temporary files: {detail}", ENMend: "free space there, or set TMPDIR to another folder", ZH: "没有可用的临时目录：{detail}", ZHMend: "请腾出空间，或将 TMPDIR 指向其他目录"},
	{Code: "story.listen", EN: "no port on 127.0.0.1 for the webhook: {detail}", ENMend: "allow this program to listen on the loopback address", ZH: "无法在 127.0.0.1 上为 webhook 获得端口：{detail}", ZHMend: "请允许本程序在本机回环地址上监听"},
	{Code: "story.git", EN: "git {command} failed: {detail}", ENMend: "install git 2.38 or newer, and check that no proxy is between this program and 127.0.0.1", ZH: "git {command} 失败：{detail}", ZHMend: "请安装 git 2.38 或更新版本，并确认本程序与 127.0.0.1 之间没有代理"},
	{Code: "story.not-usable", EN: "some points have no usable result", ENMend: "look at the log of the points", ZH: "部分测点没有可用的结果", ZHMend: "请查看这些测点的日志"},
	{Code: "story.interrupted", EN: "the story was interrupted", ENMend: "start it again; nothing is left over", ZH: "情景被中断", ZHMend: "请重新开始；没有留下任何内容"},
	{Code: "story.does-not-hold", EN: "expected: {what}; found: {got}", ENMend: "look at the page of the pull request without --exit; with --log the server says what it did", ZH: "预期：{what}；实际：{got}", ZHMend: "请去掉 --exit 后查看拉取请求页面；加上 --log 可看到服务器做了什么"},

	{Code: "story.github", EN: "an embedded GitHub serves {url}, with sweepbot installed as its App", ZH: "内嵌的 GitHub 位于 {url}，sweepbot 已作为 App 安装"},
	{Code: "story.opened", EN: "{who} opens pull request #{number}: {url}", ZH: "{who} 打开拉取请求 #{number}：{url}"},
	{Code: "story.labelled", EN: "{who} applies the label {label}", ZH: "{who} 添加标签 {label}"},
	{Code: "story.did", EN: "sweepbot: {kind}, {target}", ZH: "sweepbot 执行：{kind}，{target}"},
	{Code: "story.trouble", EN: "sweepbot could not handle {event}: {detail}", ZH: "sweepbot 未能处理 {event}：{detail}"},
	{Code: "story.point", EN: "point {n}/{total} {status}: {title}", ZH: "测点 {n}/{total} {status}：{title}"},
	{Code: "story.job", EN: "job {conclusion}: {name}", ZH: "作业 {conclusion}：{name}"},
	{Code: "story.approved", EN: "{who} approves", ZH: "{who} 批准"},

	{Code: "story.expect-welcome", EN: "the author is greeted by one comment", ZH: "作者收到一条欢迎评论"},
	{Code: "story.expect-progress", EN: "one comment keeps the state of the sweep", ZH: "扫描状态只由一条评论持续更新"},
	{Code: "story.expect-points", EN: "the plan holds nine points of three topologies, and the eval of each", ZH: "计划包含三种拓扑的九个测点及各拓扑的评测"},
	{Code: "story.expect-canary", EN: "the canary passed before any other point started", ZH: "金丝雀测点先通过，其他测点才开始"},
	{Code: "story.expect-green", EN: "there is one run, and all its jobs succeeded", ZH: "只有一次运行，且其全部作业成功"},
	{Code: "story.expect-artifacts", EN: "every point left an artifact, and results_bmk holds all rows", ZH: "每个测点都留下产物，results_bmk 汇总全部数据行"},
	{Code: "story.expect-reported", EN: "the check run of the plan and the status of the sweep are success", ZH: "计划检查与扫描状态均为成功"},
	{Code: "story.expect-collected", EN: "the collecting jobs left results_bmk, eval_results_all, changelog-metadata and run-stats", ZH: "汇总作业产生了 results_bmk、eval_results_all、changelog-metadata 与 run-stats"},
	{Code: "story.expect-one-failed", EN: "one point failed, and the run with it", ZH: "恰有一个测点失败，运行也随之失败"},
	{Code: "story.expect-family-cut", EN: "no point of its family started after it had failed", ZH: "该测点失败后，同组没有其他测点再启动"},
	{Code: "story.expect-other-family", EN: "the other family went on: all three evals passed", ZH: "另一组不受影响：三个评测全部通过"},
	{Code: "story.expect-kept", EN: "every point that passed kept its artifact", ZH: "所有通过的测点都保留了产物"},
	{Code: "story.expect-nothing-else", EN: "no other point ran, evals included", ZH: "没有其他测点运行，评测也没有"},
	{Code: "story.expect-says-failed", EN: "the comment says what failed", ZH: "评论写明了失败之处"},
	{Code: "story.expect-result", EN: "the comment says that all points passed", ZH: "评论写明全部测点通过"},

	{Code: "story.holds", EN: "everything that is expected of this story holds", ZH: "本情景的全部预期均成立"},
	{Code: "story.page", EN: "look at it: {url}\nCtrl-C ends it.", ZH: "请打开：{url}\n按 Ctrl-C 结束。"},
}
