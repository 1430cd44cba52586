package catalog

// actionsTexts are the messages of app/actions: the event and environment of a
// workflow step, and what the step writes for its runner.
var actionsTexts = []Text{
	{
		Code:   "actions.variable-missing",
		EN:     "the variable {name} is not set",
		ENMend: "run this in a step of a GitHub Actions workflow; elsewhere set the variable yourself",
		ZH:     "未设置变量 {name}",
		ZHMend: "请在 GitHub Actions 工作流的步骤中运行；在其他环境请自行设置该变量",
	},
	{
		Code:   "actions.variable-invalid",
		EN:     "the variable {name} does not have the form that GitHub gives it",
		ENMend: "do not set it in the workflow; addresses must be https",
		ZH:     "变量 {name} 的形式与 GitHub 设置的不同",
		ZHMend: "不要在工作流中设置它；地址必须是 https",
	},
	{
		Code:   "actions.variable-name",
		EN:     "'{name}' cannot be used as the name of a variable here",
		ENMend: "use letters, digits and underscores, and no name that the runner or a program reads for itself",
		ZH:     "'{name}' 不能在此用作变量名",
		ZHMend: "请使用字母、数字和下划线，且不要使用运行器或程序自用的名称",
	},
	{
		Code:   "actions.variable-too-large",
		EN:     "the variable {name} has {bytes} bytes, more than {limit}",
		ENMend: "pass it in a file or an artifact",
		ZH:     "变量 {name} 有 {bytes} 字节，超过 {limit}",
		ZHMend: "请通过文件或产物传递",
	},
	{
		Code:   "actions.no-token",
		EN:     "the variable {name} holds no token",
		ENMend: "pass it in the env of the step: {name}: with an expression that yields github.token or a secret",
		ZH:     "变量 {name} 中没有令牌",
		ZHMend: "请在步骤的 env 中传入 {name}，其值为得到 github.token 或某个密钥的表达式",
	},
	{
		Code:   "actions.event-unreadable",
		EN:     "the file of the event or of the runner cannot be read: {detail}",
		ENMend: "look at the variables GITHUB_EVENT_PATH and GITHUB_STEP_SUMMARY of the step",
		ZH:     "无法读取事件文件或运行器的文件：{detail}",
		ZHMend: "请查看该步骤的变量 GITHUB_EVENT_PATH 和 GITHUB_STEP_SUMMARY",
	},
	{
		Code:   "actions.other-repository",
		EN:     "the event is of {event}, but the run is of {run}",
		ENMend: "do not replace the file of the event",
		ZH:     "事件属于 {event}，而运行属于 {run}",
		ZHMend: "不要替换事件文件",
	},
	{
		Code:   "actions.output-name",
		EN:     "'{name}' is no name of an output",
		ENMend: "use letters, digits, hyphens and underscores, at most 100",
		ZH:     "'{name}' 不是输出名",
		ZHMend: "请使用字母、数字、连字符和下划线，最多 100 个字符",
	},
	{
		Code:   "actions.output-refused",
		EN:     "the value of {name} is not written: {detail}",
		ENMend: "nobody needs such a value; look at where it comes from, it may be an attempt to set other outputs",
		ZH:     "未写入 {name} 的值：{detail}",
		ZHMend: "正常情况下不会出现这样的值，请查明来源，它可能企图设置其他输出",
	},
	{
		Code:   "actions.output-too-large",
		EN:     "with {name} the outputs would have {chars} characters, more than {limit}",
		ENMend: "pass the value in an artifact and its name in the output",
		ZH:     "加上 {name} 后输出共 {chars} 个字符，超过 {limit}",
		ZHMend: "请把该值放入产物，在输出中只给出产物名",
	},
	{
		Code:   "actions.no-file",
		EN:     "the variable {variable} names no file of the runner",
		ENMend: "run this in a step of a workflow; the runner makes the file",
		ZH:     "变量 {variable} 没有指向运行器的文件",
		ZHMend: "请在工作流的步骤中运行，该文件由运行器创建",
	},
	{
		Code:   "actions.write-failed",
		EN:     "the runner's files or log cannot be written: {detail}",
		ENMend: "look at the free space of the runner",
		ZH:     "无法写入运行器的文件或日志：{detail}",
		ZHMend: "请检查运行器的剩余空间",
	},
	{
		Code:   "actions.annotation-kind",
		EN:     "'{kind}' is no kind of annotation",
		ENMend: "use notice, warning or error",
		ZH:     "'{kind}' 不是注解类型",
		ZHMend: "请使用 notice、warning 或 error",
	},
	{
		Code: "actions.annotations-cut",
		EN:   "{count} more of kind {kind} are not marked: GitHub shows 10 of a kind for a step",
		ZH:   "另有 {count} 个 {kind} 未标注：GitHub 每个步骤每种最多显示 10 个",
	},
	{
		Code: "actions.summary-cut",
		EN:   "The rest of this summary is left out: GitHub shows at most 1 MiB of it",
		ZH:   "其余部分已省略：GitHub 最多显示 1 MiB 的摘要",
	},
}
