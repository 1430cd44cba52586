package catalog

// signoffTexts say why what was heard of a review or a push leaves things as
// they are; the other texts of sign-offs are those of the checks.
var signoffTexts = []Text{
	{"signoff.relay-repeated", "run {run} was repeated: its event has been told of", "", "运行 {run} 是重跑：其事件已处理过", ""},
	{"signoff.relay-nothing", "nobody wrote or edited a sign-off at the time of the run", "name a sign-off by its address if there is one", "运行创建时没有人发表或编辑签核", "如果确有签核，请按其地址指定"},
	{"signoff.judged", "{key} has its verdict on this head, and was not changed since", "", "{key} 在此 head 上已有结论，之后没有改动", ""},
}
