package catalog

// checksTexts are the refusals of sign-off commands, evidence files and bundles.
var checksTexts = []Text{
	{"checks.evidence-size", "this evidence file is larger than {limit} MB", "split it, or leave out what no check reads", "该证据文件大于 {limit} MB", "请拆分文件，或去掉检查不需要的内容"},
	{"checks.evidence-depth", "this evidence file nests deeper than {limit} levels, which no answer of GitHub does", "give the answers of the API as they are", "该证据文件的嵌套超过 {limit} 层，GitHub 的回答不会如此", "请原样提供 API 的回答"},
	{"checks.evidence-empty", "this evidence file is empty", "give an answer of the API, or leave the file out", "该证据文件为空", "请提供 API 的回答，或不要给出该文件"},
	{"checks.evidence-json", "this is no JSON: {detail}", "give the answer of the API as it is", "这不是 JSON：{detail}", "请原样提供 API 的回答"},
	{"checks.evidence-type", "a value is not of the type that the API gives: {detail}", "give the answer of the API as it is", "某个值的类型与 API 不符：{detail}", "请原样提供 API 的回答"},
	{"checks.evidence-shape", "this is neither the layout of evidence files nor an answer of the API that is known by its members", "see 'Evidence files' in docs/signoff.md for the layout", "这既不是证据文件的布局，也不是可识别的 API 回答", "布局见 docs/signoff.md 的“Evidence files”"},
	{"checks.evidence-list", "here a list is expected, or an answer of the API with the member '{name}'", "write a JSON array", "此处应为列表，或含有成员 '{name}' 的 API 回答", "请写成 JSON 数组"},
	{"checks.evidence-no-commit", "this check run does not name its commit", "add head_sha, or put it under check_runs.<commit>", "该检查运行没有说明其提交", "请补上 head_sha，或放到 check_runs.<提交> 下"},
	{"checks.evidence-no-run", "this answer does not say of which workflow run it is", "put it under the id of its run, or give that run alone", "该回答没有说明属于哪个工作流运行", "请放到其运行的编号之下，或只提供该运行"},
	{"checks.evidence-no-id", "this has no number that GitHub gives", "name it by its id", "这里没有 GitHub 的编号", "请以其编号命名"},
	{"checks.evidence-no-repository", "this pull request does not name its repository", "put it under upstream.<owner>/<name>#<number>", "该拉取请求没有说明其仓库", "请放到 upstream.<owner>/<name>#<number> 下"},
	{"checks.evidence-membership", "a membership is member, not-member or unreadable", "write one of these words", "成员资格应为 member、not-member 或 unreadable", "请写其中一个词"},
	{"checks.bundle-zip", "this archive can't be read: {detail}", "make it again, it may be cut off", "无法读取该归档：{detail}", "请重新生成，它可能不完整"},
	{"checks.bundle-entries", "this archive has more than {limit} files", "leave out what is no evidence", "该归档含有超过 {limit} 个文件", "请去掉不属于证据的文件"},
	{"checks.bundle-size", "this archive is larger than {limit} MB when unpacked", "leave out what is no evidence", "该归档解压后大于 {limit} MB", "请去掉不属于证据的文件"},

	{"verdict.bad-key", "'{value}' is no key of a sign-off", "write issuecomment-, pullrequestreview- or discussion_r and a number", "“{value}”不是签核的键", "请写成 issuecomment-、pullrequestreview- 或 discussion_r 加编号"},
	{"verdict.bad-commit", "'{value}' is no full commit id", "give all forty digits", "“{value}”不是完整的提交编号", "请给出全部四十位"},
	{"verdict.malformed-row", "this line begins like a row and is none", "write '<emoji> Check <n> (<name>): <STATUS> — <reason>'", "此行开头像一行检查结果，但不是", "请写成 '<表情> Check <n> (<名称>): <STATUS> — <理由>'"},
	{"verdict.unknown-check", "profile {profile} has no check {number}", "drop the row, or name the profile that has it", "检查集 {profile} 没有检查 {number}", "请去掉该行，或改用含有该检查的检查集"},
	{"verdict.check-twice", "check {number} has a row already, on line {line}", "keep one of the two", "检查 {number} 在第 {line} 行已有结果", "请只保留一行"},
	{"verdict.check-missing", "check {number} of profile {profile} has no row", "add its row", "检查集 {profile} 的检查 {number} 没有结果", "请补上该行"},
	{"verdict.emoji", "the emoji of check {number} does not stand for {status}", "use ✅ PASS, ❌ FAIL, ➖ N/A, ⚠️ WARN", "检查 {number} 的表情与 {status} 不符", "请使用 ✅ PASS、❌ FAIL、➖ N/A、⚠️ WARN"},
	{"verdict.status-not-allowed", "check {number} can't be {status} in profile {profile}", "see the statuses of each check in docs/signoff.md", "在检查集 {profile} 中，检查 {number} 不能为 {status}", "各检查可用的状态见 docs/signoff.md"},
	{"verdict.headers", "a verdict has one header, this one has {n}", "write the header that the rows ask for, once", "结论应有一个标题，这里有 {n} 个", "请只写一次与各行相符的标题"},
	{"verdict.header-place", "the header does not follow the marker", "move it to the line behind the marker", "标题没有紧跟标记", "请把它移到标记的下一行"},
	{"verdict.header-wrong", "the header says {given}, the rows say {want}", "compute the header from the rows", "标题为 {given}，而各行结果为 {want}", "请由各行得出标题"},

	{"signoff.no-clone", "a verification reads two commits of a clone, and this is a plain folder", "name a clone with --repo DIR", "验证需要读取克隆中的两个提交，而这是普通文件夹", "请用 --repo DIR 指定克隆"},
	{"signoff.bad-date", "'{value}' is no day", "write YYYY-MM-DD, as in 2026-11-18", "“{value}”不是日期", "请写成 YYYY-MM-DD，例如 2026-11-18"},
	{"signoff.bad-login", "'{value}' is no login of GitHub", "write letters, digits and hyphens, without @", "“{value}”不是 GitHub 登录名", "请使用字母、数字和连字符，不带 @"},
	{"signoff.not-a-signoff", "the body is no sign-off: {why}", "give the text of the sign-off as it was posted", "正文不是签核：{why}", "请原样提供所发布的签核文本"},

	{"signoff.assessed", "{head} against {base}, profile {profile}, {date}", "", "{head} 相对 {base}，检查集 {profile}，{date}", ""},
	{"signoff.missing", "missing: {what}", "", "缺少：{what}", ""},
	{"signoff.more-citations", "and {n} more citations, see --json", "", "另有 {n} 条引用，见 --json", ""},
}
