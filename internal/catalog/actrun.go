package catalog

// actrunTexts are what keeps a workflow from being run under act.
var actrunTexts = []Text{
	{Code: "actrun.no-act", EN: "there is no program '{name}', which runs workflow files on this machine", ENMend: "in a checkout of sweepbot with Go, run \"go -C tools/act build -o ../../bin/act github.com/nektos/act\", then give --act bin/act; or leave --engine out", ZH: "找不到程序 '{name}'，它用于在本机运行工作流文件", ZHMend: "请在装有 Go 的 sweepbot 检出目录中运行 \"go -C tools/act build -o ../../bin/act github.com/nektos/act\"，然后加上 --act bin/act；或者不使用 --engine"},
	{Code: "actrun.system", EN: "the workflow files measure on Linux; this is {system}", ENMend: "use --engine local, which runs the same points without the workflow files", ZH: "工作流文件只在 Linux 上进行测量；本机是 {system}", ZHMend: "请使用 --engine local，它不经工作流文件运行相同的测点"},
	{Code: "actrun.folder", EN: "the folder for act cannot be used: {detail}", ENMend: "free space for temporary files, or set TMPDIR to another folder", ZH: "无法使用 act 的目录：{detail}", ZHMend: "请为临时文件腾出空间，或将 TMPDIR 指向其他目录"},
	{Code: "actrun.git", EN: "git {command} failed: {detail}", ENMend: "install git 2.38 or newer, and check that no proxy is between this program and 127.0.0.1", ZH: "git {command} 失败：{detail}", ZHMend: "请安装 git 2.38 或更新版本，并确认本程序与 127.0.0.1 之间没有代理"},
	{Code: "actrun.start", EN: "act does not start: {detail}", ENMend: "build it again for this machine", ZH: "act 无法启动：{detail}", ZHMend: "请为本机重新构建 act"},
	{Code: "actrun.ended", EN: "act ended without a failing job: {detail}", ENMend: "use act 0.2.89, which tools/act builds; it needs bash, git, curl and sha256sum", ZH: "act 在没有失败作业的情况下结束：{detail}", ZHMend: "请使用 tools/act 构建的 act 0.2.89；它需要 bash、git、curl 和 sha256sum"},
	{Code: "actrun.no-standin", EN: "a workflow uses {action}, which act would fetch and run", ENMend: "use only actions that have a stand-in in app/actrun/standins", ZH: "某工作流使用了 {action}，act 会下载并执行它", ZHMend: "只使用在 app/actrun/standins 中有替身的 action"},
	{Code: "actrun.no-workflow", EN: "the workflow file cannot be read", ENMend: "commit a readable workflow file", ZH: "无法读取工作流文件", ZHMend: "请提交可读取的工作流文件"},
	{Code: "actrun.changed", EN: "the workflow files are not those that can be installed for act: '{what}'", ENMend: "bring app/actrun/install.go up to the workflow files", ZH: "工作流文件与可为 act 安装的版本不符：'{what}'", ZHMend: "请使 app/actrun/install.go 与工作流文件一致"},
}
