package catalog

// localrunTexts are the texts of running points on this machine, and of
// collecting what they leave. The sentences of the result check are those of
// spec/labels-and-sweeps.md section 9.9.
var localrunTexts = []Text{
	// What a point must produce.
	{"localrun.no-eval-results", "Eval-only run failed: no results*.json files found.", "let the launcher write results*.json into its working directory; the log of the point shows what it did instead", "仅评测任务失败：未找到 results*.json 文件。", "请让启动脚本在工作目录写出 results*.json；可在该点的日志中查看实际情况"},
	{"localrun.no-result", "Run failed: Benchmark result {name}.json not found.", "let the launcher write $RESULT_FILENAME.json into its working directory", "运行失败：未找到基准结果 {name}.json。", "请让启动脚本在工作目录写出 $RESULT_FILENAME.json"},
	{"localrun.agentic-count", "Run failed: expected {want} agentic results, found {got}.", "write one $RESULT_FILENAME_conc<N>.json for every number in CONC_LIST", "运行失败：应有 {want} 个 agentic 结果，实际找到 {got} 个。", "请为 CONC_LIST 中的每个数写出一个 $RESULT_FILENAME_conc<N>.json"},
	{"localrun.no-successes", "Run failed: {file} has zero successful requests.", "see the server log of the point", "运行失败：{file} 没有任何成功的请求。", "请查看该点的服务器日志"},
	{"localrun.no-results", "Run failed: No benchmark result files found for {name}_*.json", "write one $RESULT_FILENAME_conc<N>_gpus_<T>_ctx_<P>_gen_<D>.json for every concurrency", "运行失败：未找到匹配 {name}_*.json 的基准结果文件", "请为每个并发数写出一个 $RESULT_FILENAME_conc<N>_gpus_<T>_ctx_<P>_gen_<D>.json"},
	{"localrun.no-file", "the launcher did not write this file", "see the log of the point", "启动脚本没有写出该文件", "请查看该点的日志"},
	{"localrun.result-json", "the file cannot be used: it {detail}", "write one JSON object with every member once", "该文件无法使用：{detail}", "请写出一个 JSON 对象，每个成员只出现一次"},
	{"localrun.nothing-completed", "no request was completed ({requested} requested)", "see the server log of the point", "没有任何请求完成（请求数 {requested}）", "请查看该点的服务器日志"},
	{"localrun.requests-failed", "{failed} of {requested} requests failed, which is too many", "see the server log of the point", "{requested} 个请求中有 {failed} 个失败，数量过多", "请查看该点的服务器日志"},

	// Rows of fixed-sequence results.
	{"localrun.batch-file", "the result can't be used: {why}", "repair the launcher: name, concurrency and GPU counts of a result must agree (docs/results.md)", "无法使用该结果：{why}", "请修复启动器：结果的名称、并发数与 GPU 数须一致（docs/results.md）"},
	{"localrun.batch-set", "results do not match CONC_LIST: missing {missing}, unexpected {unexpected}", "write one result for every number in CONC_LIST and no other", "结果与 CONC_LIST 不符：缺少 {missing}，多出 {unexpected}", "请为 CONC_LIST 中的每个数写一个结果，且不写其他结果"},

	// Evals.
	{"localrun.eval-score", "{task} {metric} is {value}, below {bar}", "see whether the engine or the recipe lowers quality, or adjust the threshold file", "{task} {metric} 为 {value}，低于 {bar}", "请检查引擎或配方是否降低了质量，或调整阈值文件"},
	{"localrun.eval-nothing", "no metric of the eval could be judged", "let the result hold an exact_match or a declared metric", "没有任何可判定的评测指标", "结果中应有 exact_match 或已声明的指标"},
	{"localrun.eval-range", "the score of {task} is {value}, not between 0 and 1", "write the score as a fraction", "{task} 的得分 {value} 不在 0 与 1 之间", "请以小数形式写出得分"},
	{"localrun.eval-metadata", "the eval artifact has no meta_env.json, so nobody can say which row it belongs to", "let the launcher write meta_env.json", "评测工件缺少 meta_env.json，无法确定其所属的行", "请让启动脚本写出 meta_env.json"},

	// Why a point did not run, or did not end well.
	{"localrun.row-field", "the row has no {field}", "mend the config; identity is never filled in", "该行缺少 {field}", "请修正配置；标识字段不会自动补全"},
	{"localrun.setting-form", "the additional setting {setting} is not of the form NAME=value", "begin it with a variable name and '='; it is data, never shell code", "附加设置 {setting} 不是 NAME=value 形式", "请以变量名加 '=' 开头；它只是数据，绝不会作为 shell 代码执行"},
	{"localrun.result-name", "the result name {name} cannot name a file and an artifact", "keep / \\ : \" < > | * ? and control characters out of exp-name, precision, framework and runner names", "结果名 {name} 不能用作文件名和工件名", "exp-name、precision、framework 和 runner 名中不要使用 / \\ : \" < > | * ? 及控制字符"},
	{"localrun.result-name-long", "the result name has {bytes} bytes, more than {limit}", "shorten the model prefix, or put fewer concurrencies into one multi-node entry", "结果名有 {bytes} 字节，超过 {limit}", "请缩短模型前缀，或减少同一多节点条目中的并发数"},
	{"localrun.same-name", "point {other} has the same result name {name}; one would replace the other", "make the two entries differ in what the name shows, or drop one", "点 {other} 的结果名同为 {name}，两者会互相覆盖", "请使两个条目在名称上有所区别，或删除其一"},
	{"localrun.no-launcher", "there is no launcher for runner {runner}", "add this file, or name a program with --launcher", "runner {runner} 没有对应的启动脚本", "请添加该文件，或用 --launcher 指定程序"},
	{"localrun.runner-name", "the runner name '{runner}' cannot name a launcher", "mend the name in the runner file", "runner 名 '{runner}' 不能用于启动脚本名", "请修正 runner 文件中的名称"},
	{"localrun.not-started", "the launcher could not be started: {detail}", "check that the file exists, may be executed and begins with #!", "无法启动启动脚本：{detail}", "请检查文件是否存在、可执行并以 #! 开头"},
	{"localrun.exit", "the launcher ended with code {code}", "see the log of the point", "启动脚本以代码 {code} 结束", "请查看该点的日志"},
	{"localrun.signal", "the launcher was ended by a signal: {signal}", "see the log of the point, and whether the machine ran out of memory", "启动脚本被信号终止：{signal}", "请查看该点的日志，并确认机器是否内存不足"},
	{"localrun.timeout", "the launcher did not end within {after}", "give more time with --timeout, or see the log for where it hangs", "启动脚本未能在 {after} 内结束", "请用 --timeout 延长时限，或查看日志找出挂起位置"},
	{"localrun.sibling-failed", "cancelled, since {point} of the same family failed first", "mend that point; --resume --retries 1 tries it again", "已取消：同族的 {point} 先失败", "请修复该点；--resume --retries 1 可重试"},
	{"localrun.canary-failed", "not started, since the canary failed: {canary}", "mend the canary; --resume --retries 1 tries it again", "未启动：金丝雀点失败：{canary}", "请修复金丝雀点；--resume --retries 1 可重试"},
	{"localrun.trouble", "the point could not be measured: {detail}", "see that the folder of the sweep can be written", "无法测量该点：{detail}", "请确认扫描目录可写"},

	// Plans, folders and journals.
	{"localrun.plan-version", "the plan document has version '{version}'; version {want} is understood", "make the plan with this version of sweepbot", "计划文档版本为 '{version}'，仅支持版本 {want}", "请用当前版本的 sweepbot 生成计划"},
	{"localrun.plan-digest", "the plan document was changed after it was written", "make it again with sweepbot plan", "计划文档在写出后被改动", "请用 sweepbot plan 重新生成"},
	{"localrun.point-id", "'{id}' is no point id", "make the plan again with sweepbot plan", "'{id}' 不是有效的点标识", "请用 sweepbot plan 重新生成计划"},
	{"localrun.empty-plan", "the change runs no point, so there is nothing to sweep", "add a changelog entry that names a config", "该变更不运行任何点，无可执行的扫描", "请添加指明配置的变更日志条目"},
	{"localrun.lost-rows", "the plan counts {planned} points and holds {points}", "make the plan again; if this persists, report it as a defect", "计划声明 {planned} 个点，实际包含 {points} 个", "请重新生成计划；若仍出现，请报告缺陷"},
	{"localrun.nothing-selected", "--only {only} selects no point of the plan", "name a family (sweep-agentic, or agentic), a config key or a point id; sweepbot plan --json lists them", "--only {only} 未选中计划中的任何点", "请指定族名（sweep-agentic 或 agentic）、配置键或点标识；sweepbot plan --json 可列出"},
	{"localrun.launcher-empty", "--launcher names no program", "name a program, for example --launcher ./my-launcher.sh", "--launcher 未指定程序", "请指定程序，例如 --launcher ./my-launcher.sh"},
	{"localrun.other-revision", "the plan is of {head}, but the launchers in the working tree are of another commit", "check out {head} first, or name a program with --launcher", "计划对应 {head}，但工作树中的启动脚本属于另一提交", "请先检出 {head}，或用 --launcher 指定程序"},
	{"localrun.folder", "the folder of the sweep cannot be used: {detail}", "choose another one with --out", "扫描目录无法使用：{detail}", "请用 --out 选择其他目录"},
	{"localrun.folder-in-use", "the folder already holds a sweep", "go on with it with --resume, or choose another one with --out", "该目录已有一次扫描", "请用 --resume 继续，或用 --out 选择其他目录"},
	{"localrun.in-use", "another process is running the sweep of this folder", "wait for it, or choose another folder with --out", "另一进程正在运行该目录的扫描", "请等待其结束，或用 --out 选择其他目录"},
	{"localrun.nothing-to-resume", "the folder holds no sweep to go on with", "leave out --resume, or give --out the folder of the sweep", "该目录没有可继续的扫描", "请去掉 --resume，或用 --out 指定扫描目录"},
	{"localrun.other-plan", "the folder holds the sweep of another plan, launcher or mode; results of both must not mix", "start a new sweep in another folder", "该目录属于另一计划、启动程序或模式的扫描，结果不能混合", "请在其他目录开始新的扫描"},
	{"localrun.journal-damaged", "the journal of the sweep cannot be read from here on", "start a new sweep in another folder", "扫描日志从此处起无法读取", "请在其他目录开始新的扫描"},
	{"localrun.interrupted", "the sweep was interrupted; {left} points are left", "give the same command --resume, and --out with this folder", "扫描被中断，剩余 {left} 个点", "请在同一命令后加上 --resume 和 --out 此目录"},

	// Collected files and rows.
	{"localrun.nothing-collected", "there is no result in this folder: nothing was measured, which is not a success", "give the folder of a sweep, or one into which its artifacts were downloaded (bmk_*, eval_*)", "该目录没有任何结果：没有测量不等于成功", "请指定扫描目录，或已下载其工件（bmk_*、eval_*）的目录"},
	{"localrun.not-a-folder", "an artifact must be a folder", "unpack it first; links are not followed", "工件必须是目录", "请先解包；不会跟随链接"},
	{"localrun.not-regular", "only regular files are read; this is a link or a device", "remove it", "只读取普通文件；此处是链接或设备", "请将其删除"},
	{"localrun.too-large", "the file has {bytes} bytes, more than {limit}", "make it smaller, or remove it", "文件有 {bytes} 字节，超过 {limit}", "请缩小或删除该文件"},
	{"localrun.too-much", "there is more below this folder than {files} files or {bytes} bytes", "remove what is not needed", "该目录下超过 {files} 个文件或 {bytes} 字节", "请删除不需要的内容"},
	{"localrun.too-deep", "folders nest deeper than {limit} levels here", "flatten them", "目录嵌套超过 {limit} 层", "请减少嵌套"},
	{"localrun.row-text", "{field} is missing, and is part of what tells rows apart", "let the producer of the file write it", "缺少 {field}，它是区分各行的标识之一", "请让文件的生成程序写出该字段"},
	{"localrun.row-number-missing", "{field} is missing or no number", "let the producer of the file write it", "缺少 {field} 或其不是数", "请让文件的生成程序写出该字段"},
	{"localrun.row-zero", "{field} is 0: nothing was measured", "see the log of the point", "{field} 为 0：没有任何测量", "请查看该点的日志"},
	{"localrun.result-twice", "there is a second result for {row}; the other is in {other}", "keep the one that counts", "{row} 有第二个结果，另一个在 {other}", "请只保留有效的一个"},
	{"localrun.not-planned", "the plan has no point {row}", "see whether the artifact belongs to this sweep", "计划中没有点 {row}", "请确认该工件是否属于此次扫描"},

	// Progress and summary.
	{"localrun.time-left", "about {time} left", "", "约剩 {time}", ""},
	{"localrun.counts-planned", "{planned} points planned: {passed} passed, {failed} failed, {cancelled} cancelled, {skipped} skipped, {missing} missing", "", "计划 {planned} 个点：通过 {passed}，失败 {failed}，取消 {cancelled}，跳过 {skipped}，缺失 {missing}", ""},
	{"localrun.counts-found", "{planned} results: {passed} usable, {failed} refused (no plan.json, so nobody can say what is missing)", "", "{planned} 个结果：可用 {passed}，拒绝 {failed}（没有 plan.json，无法判断缺失项）", ""},
	{"localrun.executes", "This executes the launchers of {repo} on your machine, with your rights, since you asked for it", "", "应您的要求，将在本机以您的权限执行 {repo} 的启动脚本", ""},
	{"localrun.executes-program", "This executes {program} on your machine, with your rights, since you asked for it", "", "应您的要求，将在本机以您的权限执行 {program}", ""},
	{"localrun.folder-shown", "Sweep folder: {folder}", "", "扫描目录：{folder}", ""},
	{"localrun.logs-shown", "Logs of the points: {folder}", "", "各点日志：{folder}", ""},
}
