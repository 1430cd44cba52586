package catalog

// signoffTexts say why what was heard of a review or a push leaves things as
// they are; the other texts of sign-offs are those of the checks.
var signoffTexts = []Text{
	{"signoff.relay-repeated", "run {run} was repeated: its event has been told of", "", "运行 {run} 是重跑：其事件已处理过", ""},
	{"signoff.relay-nothing", "nobody wrote or edited a sign-off at the time of the run", "name a sign-off by its address if there is one", "运行创建时没有人发表或编辑签核", "如果确有签核，请按其地址指定"},
	{"signoff.carry-nothing", "there is no verdict that a push could take along", "", "没有可随推送延续的结论", ""},
	{"signoff.carry-not-passed", "only a verdict PASS is carried to a new head", "post or edit the sign-off again", "只有 PASS 结论可延续到新的 head", "请重新发表或编辑签核"},
	{"signoff.carry-other-before", "the head before the push is not the covered commit", "post or edit the sign-off again", "推送之前的 head 不是结论所覆盖的提交", "请重新发表或编辑签核"},
	{"signoff.carry-other-head", "the pushed commit is not the head of the pull request", "post or edit the sign-off again", "推送的提交不是拉取请求的 head", "请重新发表或编辑签核"},
	{"signoff.carry-by-machine", "the push is not by a person whom GitHub records as its actor", "post or edit the sign-off again", "推送并非由 GitHub 记录的本人执行", "请重新发表或编辑签核"},
	{"signoff.carry-no-admin", "who pushed is no administrator", "post or edit the sign-off again", "推送者不是管理员", "请重新发表或编辑签核"},
	{"signoff.carry-done", "the verdict covers the head", "", "结论已覆盖该 head", ""},
	{"signoff.carried", "verdict carried from {from} to {to}, pushed by an administrator", "", "结论由 {from} 延续到 {to}，由管理员推送", ""},
	{"signoff.left-behind", "The head moved: sign off again", "", "head 已变化：请重新签核", ""},
	{"signoff.judged", "{key} has its verdict on this head, and was not changed since", "", "{key} 在此 head 上已有结论，之后没有改动", ""},
}
