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
	{"cli.word-warning", "warning:", "", "警告：", ""},
	{"cli.word-note", "remark:", "", "提示：", ""},
	{"cli.at", "at:", "", "位于：", ""},
	{"cli.see", "see:", "", "参见：", ""},
	{"cli.mend", "mend:", "", "修正：", ""},

	{"cli.plan-too-large", "the plan has {chars} characters, more than the {limit} that fit the outputs of a job", "add --out FILE and hand the file on as an artifact", "计划有 {chars} 个字符，超过作业输出可容纳的 {limit}", "请加上 --out FILE，并以构件传递该文件"},
	{"cli.outputs-too-large", "the matrices of the plan alone have {chars} characters, more than the {limit} that fit the outputs of a job", "split the change, or lower the number of points with --trim-conc", "仅计划的矩阵就有 {chars} 个字符，超过作业输出可容纳的 {limit}", "请拆分该变更，或用 --trim-conc 减少点数"},

	{"cli.pr-number", "--pr is not the number of a pull request", "give a number of at least 1, or leave it out", "--pr 不是拉取请求的编号", "请给出不小于 1 的编号，或省略"},
	{"cli.not-regular", "this is a link, a folder or a device, so it is not overwritten", "name a regular file, or one that does not exist yet", "这是链接、目录或设备，因此不会覆盖", "请指定普通文件，或尚不存在的文件"},
	{"cli.no-priority", "the base revision has no priority policy", "leave out --annotate, or set layout.priority in .github/sweepbot.yml", "基准版本没有优先级策略", "请去掉 --annotate，或在 .github/sweepbot.yml 中设置 layout.priority"},
	{"cli.criteria", "the criteria are not a JSON array of strings: {detail}", "write for example [\"multi-node\",\"fp4\"], or leave them out", "判据不是由字符串组成的 JSON 数组：{detail}", "请写成例如 [\"multi-node\",\"fp4\"]，或省略"},

	{"cli.point", "{n} point", "", "{n} 个点", ""},
	{"cli.points", "{n} points", "", "{n} 个点", ""},
	{"cli.family", "{n} job family", "", "{n} 个作业族", ""},
	{"cli.families", "{n} job families", "", "{n} 个作业族", ""},
	{"cli.runner", "{n} runner label", "", "{n} 个 runner 标签", ""},
	{"cli.runners", "{n} runner labels", "", "{n} 个 runner 标签", ""},
	{"cli.matrix", "{n} matrix", "", "{n} 个矩阵", ""},
	{"cli.matrices", "{n} matrices", "", "{n} 个矩阵", ""},
	{"cli.config", "{n} config", "", "{n} 个配置", ""},
	{"cli.configs", "{n} configs", "", "{n} 个配置", ""},
	{"cli.row", "{n} row", "", "{n} 行", ""},
	{"cli.rows", "{n} rows", "", "{n} 行", ""},
	{"cli.entry", "{n} new changelog entry", "", "{n} 个新的变更日志条目", ""},
	{"cli.entries", "{n} new changelog entries", "", "{n} 个新的变更日志条目", ""},

	{"cli.plan-summary", "{points} ({throughput} throughput, {evals} eval) in {families} on {hardware}", "", "{points}（吞吐 {throughput}，评测 {evals}），{families}，运行于 {hardware}", ""},
	{"cli.plan-empty", "Nothing to run.", "", "没有需要运行的点。", ""},
	{"cli.plan-corrections", "Nothing to run: the change only corrects links of old entries.", "", "没有需要运行的点：该变更只更正了旧条目的链接。", ""},
	{"cli.plan-no-label", "No sweep label is given: nothing starts. Label {label} would start this sweep.", "", "没有给出扫描标签，不会启动。添加标签 {label} 即可启动。", ""},
	{"cli.plan-label", "Label {label} starts it; a failing point does not stop the others.", "", "由标签 {label} 启动；某个点失败不会中止其他点。", ""},
	{"cli.plan-label-fail-fast", "Label {label} starts it; the first failing point of a family stops the rest of that family.", "", "由标签 {label} 启动；同族中第一个失败的点会中止该族其余的点。", ""},
	{"cli.plan-canary", "Canary, before all others: {title} ({row})", "", "金丝雀点，先于其他点运行：{title}（{row}）", ""},
	{"cli.plan-source", "{base} to {head}, preset {preset}", "", "{base} 到 {head}，预设 {preset}", ""},

	{"cli.validate-clean", "no problems", "", "没有问题", ""},
	{"cli.validate-change", "{configs} with {rows} rows, {labels}, {entries}: {result}", "", "{configs}（{rows} 行）、{labels}、{entries}：{result}", ""},
	{"cli.validate-files", "{configs} with {rows} rows, {labels}, the changelog not compared: {result}", "", "{configs}（{rows} 行）、{labels}，未比较变更日志：{result}", ""},
}
