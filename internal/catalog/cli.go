package catalog

// cliTexts are the texts of the commands: what they print besides findings,
// and their own refusals.
var cliTexts = []Text{
	{"cli.failed", "{detail}", "", "失败：{detail}", ""},
	{"cli.usage", "{detail}", "see '{command} --help'", "命令行有误：{detail}", "请看 '{command} --help'"},

	{"cli.error", "{n} error", "", "{n} 个错误", ""},
	{"cli.errors", "{n} errors", "", "{n} 个错误", ""},
	{"cli.warning", "{n} warning", "", "{n} 个警告", ""},
	{"cli.warnings", "{n} warnings", "", "{n} 个警告", ""},
	{"cli.note", "{n} remark", "", "{n} 个提示", ""},
	{"cli.notes", "{n} remarks", "", "{n} 个提示", ""},
	{"cli.at", "at", "", "位于", ""},
	{"cli.see", "see", "", "参见", ""},
	{"cli.mend", "mend", "", "修正", ""},
}
