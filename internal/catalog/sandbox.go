package catalog

// sandboxTexts are the refusals of app/sandbox to start.
var sandboxTexts = []Text{
	{"sandbox.no-git", "git cannot be started: {detail}", "install git 2.38 or newer and make sure it is on the PATH", "无法启动 git：{detail}", "请安装 git 2.38 或更新版本，并确保它在 PATH 中"},
	{"sandbox.old-git", "git {version} is too old for a sandbox", "install git 2.38 or newer", "git {version} 版本过旧，无法运行沙盒", "请安装 git 2.38 或更新版本"},
	{"sandbox.no-folder", "the sandbox cannot keep its repositories: {detail}", "free space in the folder for temporary files, or set TMPDIR to another", "沙盒无法保存其仓库：{detail}", "请在临时目录中腾出空间，或将 TMPDIR 指向其他目录"},
	{"sandbox.cannot-listen", "the sandbox gets no port on 127.0.0.1: {detail}", "allow this program to listen on the loopback address", "沙盒无法在 127.0.0.1 上获得端口：{detail}", "请允许本程序在本机回环地址上监听"},
	{"sandbox.listen-elsewhere", "the sandbox does not serve on '{address}': it is for this machine only", "give a loopback address, such as 127.0.0.1:8080", "沙盒不在 '{address}' 上提供服务：它只供本机使用", "请使用本机回环地址，例如 127.0.0.1:8080"},
	{"sandbox.bad-repository", "'{name}' cannot be the name of the sample repository", "give owner/name, such as acme-bench/inference", "'{name}' 不能用作示例仓库的名称", "请使用 owner/name 的形式，例如 acme-bench/inference"},
	{"sandbox.bad-role", "{login} cannot have the role '{role}'", "use admin, maintain, write, triage, read or none", "{login} 不能拥有角色 '{role}'", "请使用 admin、maintain、write、triage、read 或 none"},
	{"sandbox.bad-seed", "the files of the sample repository cannot be used: {detail}", "give a folder with at least one file and at most 64 MiB", "无法使用示例仓库的文件：{detail}", "请提供至少含一个文件且不超过 64 MiB 的目录"},
	{"sandbox.bad-label", "a label of the sample repository is refused: {detail}", "give each label a name of 1 to 50 characters, once", "示例仓库的某个标签被拒绝：{detail}", "每个标签名须为 1 到 50 个字符且不重复"},
	{"sandbox.bad-hook", "a webhook is refused: {detail}", "give an http address on this machine, such as http://127.0.0.1:8080/", "某个 webhook 被拒绝：{detail}", "请使用本机的 http 地址，例如 http://127.0.0.1:8080/"},
}
