package catalog

// botTexts are the texts of the commands and event handlers.
var botTexts = []Text{
	{"bot.no-folder", "the folder cannot be opened: {detail}", "give --repo the path of a clone or of a plain folder", "无法打开目录：{detail}", "请用 --repo 指定克隆或普通目录的路径"},
	{"bot.folder-has-no-revisions", "a plain folder has no revision '{rev}'", "leave out --base and --head, or give --repo a clone", "普通目录没有版本 '{rev}'", "请去掉 --base 和 --head，或用 --repo 指定克隆"},
	{"bot.no-base", "the clone knows no base branch (origin/HEAD, origin/main or main)", "name the base with --base", "克隆中没有基准分支（origin/HEAD、origin/main 或 main）", "请用 --base 指定基准"},
	{"bot.unknown-preset", "there is no preset '{preset}'", "use inferencex, inferencex-2026-08 or reference-2026-08", "不存在预设 '{preset}'", "请使用 inferencex、inferencex-2026-08 或 reference-2026-08"},
}
