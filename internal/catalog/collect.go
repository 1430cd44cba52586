package catalog

// collectTexts are the texts of the room that downloads and opens results.
var collectTexts = []Text{
	{"collect.folder", "the results can't be read or stored: {detail}", "check the path, the permissions and the space on the disk", "无法读取或保存结果：{detail}", "请检查路径、权限与磁盘空间"},
	{"collect.index", "the list of the downloaded artifacts is damaged", "delete the folder and download again", "已下载制品的列表已损坏", "请删除该目录后重新下载"},
	{"collect.other-run", "the folder holds run {run}, not run {want}", "give another folder with --out", "该目录中是运行 {run}，而不是运行 {want}", "请用 --out 指定其他目录"},
	{"collect.not-regular", "this is no regular file", "replace the link or device by the file itself", "这不是普通文件", "请用文件本身替换链接或设备"},
	{"collect.too-large", "the file is larger than {limit}", "give the file that sweepbot wrote", "文件大于 {limit}", "请给出 sweepbot 写出的文件"},
	{"collect.plan", "the plan beside the results can't be read: {detail}", "download again, or delete plan.json to do without it", "无法读取结果旁的计划：{detail}", "请重新下载，或删除 plan.json 以放弃使用"},
	{"collect.serve", "the serve commands beside the plan can't be read: {detail}", "download again, or delete serve.json to do without them", "无法读取计划旁的启动命令：{detail}", "请重新下载，或删除 serve.json 以放弃使用"},
	{"collect.artifact", "{artifact} could not be downloaded: {detail}", "run the command again; what is there is kept", "无法下载 {artifact}：{detail}", "请再次运行该命令；已下载的会保留"},
	{"collect.downloaded", "{done} artifacts are there: {new} downloaded ({size}), {kept} from before", "", "共有 {done} 个制品：本次下载 {new} 个（{size}），先前已有 {kept} 个", ""},
	{"collect.progress", "{done} of {total} artifacts, {size}", "", "{done}/{total} 个制品，{size}", ""},
}
