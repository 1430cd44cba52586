package catalog

// checkRuleTexts say what each numbered check asks for, and what clears its
// row. Codes are "check." and the topic.
var checkRuleTexts = []Text{
	{"check.codeowner", "The signer owns every changed path that has an owner line of its own in CODEOWNERS at the target branch, by name or by a team. The last matching line decides. Paths of the catch-all are satisfied by any recognised owner, and a team that can't be read is never held against anybody.", "an owner of the paths that are named signs off", "签核人拥有所有在目标分支 CODEOWNERS 中有专门条目的改动路径，无论以本人或团队名义。以最后匹配的行为准。仅由通配行覆盖的路径，任何被认可的所有者均可；无法读取的团队不会对任何人不利。", "请由所列路径的所有者签核"},
	{"check.sweep", "A full sweep with its evals succeeded on a commit of the pull request, and nothing that its points serve has changed since.", "run the sweep on the current head, or cite the run that is current", "在该拉取请求的某个提交上，完整扫描及评测均已成功，且此后其各点所用内容没有变化。", "请在当前提交上运行扫描，或引用仍然有效的运行"},
	{"check.evals", "The evals of that sweep were executed on the image of the pull request and reach their bars.", "run the evals again on this image", "该扫描的评测已在此拉取请求的镜像上执行并达到标准。", "请在此镜像上重新评测"},
	{"check.recipe", "A published recipe or a merged upstream pull request, linked in the sign-off, documents the major server arguments of each affected single-node entry.", "link a merged upstream change or a published page that has these arguments", "签核中链接的已发布配方或已合并的上游拉取请求，记载了每个受影响单节点条目的主要服务参数。", "请链接含有这些参数的已合并上游改动或已发布页面"},
	{"check.reuse-command", "An owner, member or collaborator has posted the command that names the run to publish.", "an authorised maintainer comments the line that the row shows", "所有者、成员或协作者已发表命令，指明要发布的运行。", "请由有权限的维护者发表该行所示命令"},
	{"check.template", "The sign-off has every item of the template at the target branch, checked, or explained in the additional detail section.", "copy the current template, check every item or explain it, and post it again", "签核含有目标分支模板的每一项，且已勾选，或在补充说明中解释。", "请复制当前模板，勾选或解释每一项后重新发表"},
	{"check.images", "Open-source engines run their upstream images, and a model comes to a vendor engine only where an open-source engine runs it on that hardware.", "use the upstream image, or add the open-source entry first", "开源引擎使用上游镜像；只有当某开源引擎已在该硬件上运行该模型时，厂商引擎才可加入。", "请使用上游镜像，或先添加开源引擎的条目"},
	{"check.deprecated", "The model policy at the target branch allows each affected model and scenario on the day of the assessment.", "take the entries out that the row names; a new sign-off can't clear it", "目标分支的模型政策在评估当日允许每个受影响的模型与场景。", "请移除该行所列条目；重新签核无法解决"},
	{"check.architecture", "No affected point overrides the model's architecture so that it computes less.", "drop the override", "没有受影响的点通过改写模型架构来减少计算。", "请去掉该改写"},
	{"check.chat-template", "Points that speculate are measured with the chat template of the model.", "let the client use chat completions, or set the switch that the row names", "使用推测解码的点在测量时使用模型的对话模板。", "请让客户端使用对话接口，或设置该行所示开关"},
	{"check.engine-patches", "Nothing on the launch path edits an installed engine, unless a waiver of this pull request covers it and the sign-off links it.", "drop the patch, or add the waiver and link it", "启动路径上没有修改已安装的引擎，除非本拉取请求有相应豁免且签核中已链接。", "请去掉补丁，或添加豁免并链接"},
	{"check.golden-al", "Agentic points that speculate with simulated acceptance use the length of the golden curve for their model, method and draft length.", "set the value of the curve that the row names", "模拟接受长度的推测解码智能体点，采用其模型、方法与草稿长度对应的黄金接受长度曲线的数值。", "请设置该行所示曲线的黄金接受长度"},
	{"check.append-only", "An entry with append-only: true leaves what older points serve as it was.", "drop append-only, or the change that reaches older points", "带有 append-only: true 的条目不改变旧点所用内容。", "请去掉 append-only，或去掉影响旧点的改动"},
	{"check.draft-precision", "The draft is served in the precision in which it is stored, and the sign-off says how that is known.", "say in the additional detail section which precision is stored and served", "草稿模型以其存储精度运行，且签核说明了依据。", "请在补充说明中写明存储与运行的精度"},
	{"check.pareto", "Each affected curve has at least five measured points on its frontier.", "measure more points, or record an admin bypass", "每条受影响的曲线至少有五个实测点位于前沿。", "请测量更多点，或记录管理员放行"},
	{"check.pr-description", "What the description of the pull request states agrees with the assessed commit.", "correct the description", "拉取请求描述中的说法与被评估的提交一致。", "请更正描述"},
	{"check.nvidia-overview", "The row says what the submission means for the overview of NVIDIA hardware.", "", "该行说明此提交对 NVIDIA 硬件总览的影响。", ""},
	{"check.metrics-publication", "A Dynamo TensorRT-LLM path publishes events and metrics unless its version can't.", "set the switch that the row names, or explain it in the additional detail section", "Dynamo TensorRT-LLM 路径发布事件与指标，除非其版本不支持。", "请设置该行所示开关，或在补充说明中解释"},
	{"check.consistency", "Configs, recipes, images, sweep and changelog entry say the same.", "amend what the row names", "配置、配方、镜像、扫描与变更日志条目彼此一致。", "请修改该行所示内容"},
}
