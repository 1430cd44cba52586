package catalog

// serveTexts are the messages of app/serve and of the command that starts it.
var serveTexts = []Text{
	{Code: "serve.folder", EN: "the server cannot keep its clones: {detail}", ENMend: "give a folder that it may write to with --data", ZH: "服务器无法保存克隆：{detail}", ZHMend: "请用 --data 指定可写的目录"},
	{Code: "serve.git", EN: "git {command} failed: {detail}", ENMend: "check that the App may read contents of the repository, and that GitHub can be reached", ZH: "git {command} 失败：{detail}", ZHMend: "请检查 App 是否有权读取仓库内容，以及能否访问 GitHub"},
	{Code: "serve.no-git", EN: "git cannot be started: {detail}", ENMend: "install git and make sure it is on the PATH", ZH: "无法启动 git：{detail}", ZHMend: "请安装 git，并确保它在 PATH 中"},
	{Code: "serve.no-secret", EN: "{what} is neither in a file nor in the environment", ENMend: "give {file} FILE or {env} NAME; a secret is never an argument", ZH: "{what} 既不在文件中，也不在环境变量中", ZHMend: "请提供 {file} FILE 或 {env} NAME；密钥不作为参数传递"},
	{Code: "serve.bad-secret", EN: "{what} in '{from}' cannot be read, or is empty", ENMend: "check the name, the rights and the content", ZH: "'{from}' 中的 {what} 无法读取，或内容为空", ZHMend: "请检查名称、权限和内容"},
	{Code: "serve.listen", EN: "cannot listen on '{address}': {detail}", ENMend: "give a free address as HOST:PORT", ZH: "无法在 '{address}' 上监听：{detail}", ZHMend: "请提供空闲的地址，形式为 HOST:PORT"},
}
