package catalog

// recipeShellTexts are the texts of reading launch scripts: why a script
// cannot be read, and why a value of it is not known.
var recipeShellTexts = []Text{
	{"shell.script-missing", "this launch script does not exist at this revision", "correct the name of the script or add it", "此版本中不存在该启动脚本", "请更正脚本名称或添加该脚本"},
	{"shell.unparsable", "this script cannot be read as bash: {reason}", "mend the syntax; bash -n shows most errors", "无法按 bash 解析此脚本：{reason}", "请修正语法；bash -n 可显示大多数错误"},
	{"shell.unknown-host", "depends on the machine ({detail})", "", "取决于运行的机器（{detail}）", ""},
	{"shell.unknown-clock", "depends on time or chance ({detail})", "", "取决于时间或随机值（{detail}）", ""},
	{"shell.unknown-output", "output of {detail}", "", "{detail} 的输出", ""},
	{"shell.unknown-status", "status of {detail}", "", "{detail} 的退出状态", ""},
	{"shell.unknown-file", "file {detail}", "", "文件 {detail}", ""},
	{"shell.unknown-join", "differs between ways ({detail})", "", "不同分支的结果不同（{detail}）", ""},
	{"shell.unknown-derived", "computed from an unknown ({detail})", "", "由未知值计算得出（{detail}）", ""},
	{"shell.unknown-loop", "changes in a loop without a known end ({detail})", "", "在结束条件未知的循环中变化（{detail}）", ""},
	{"shell.unknown-unset", "{detail} is required and not set", "", "{detail} 是必需的但未设置", ""},
	{"shell.unknown-unsupported", "{detail} is not evaluated", "", "不对 {detail} 求值", ""},
	{"shell.unknown-missing", "{detail} is not in the repository", "", "仓库中没有 {detail}", ""},
	{"shell.unknown-syntax", "cannot be parsed: {detail}", "", "无法解析：{detail}", ""},
	{"shell.unknown-limit", "limit reached: {detail}", "", "达到限制：{detail}", ""},
	{"shell.unknown-given", "not known to the caller ({detail})", "", "调用方未知（{detail}）", ""},
}
