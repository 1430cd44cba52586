package catalog

// storeTexts are the texts of the store of results.
var storeTexts = []Text{
	{"store.missing", "there is no results store here", "check the path, or fill a store with report --save", "此处没有结果库", "请检查路径，或用 report --save 建立结果库"},
	{"store.failed", "the results store can't be used: {detail}", "check the path or the address, and that the tables exist (docs/report.md)", "无法使用结果库：{detail}", "请检查路径或地址，并确认数据表存在（docs/report.md）"},
	{"store.read-only", "a results store on a server is only read", "save to the path of a file", "服务器上的结果库只读", "请保存到文件路径"},
	{"store.no-run", "these results are of no known run, so they can't be stored", "download them with collect --run", "这些结果不属于任何已知运行，无法入库", "请用 collect --run 下载结果"},
}
