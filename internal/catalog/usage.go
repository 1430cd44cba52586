package catalog

// usageTexts are the texts of wrong command lines.
var usageTexts = []Text{
	{"usage.unknown-option", "unknown option {option}", "see --help for the options of this command", "未知选项 {option}", "请用 --help 查看此命令的选项"},
	{"usage.missing-option", "option {option} is required", "add it; --help shows an example", "缺少必需的选项 {option}", "请补上该选项；--help 有示例"},
	{"usage.takes-nothing", "option {option} takes no value", "leave the value out", "选项 {option} 不接受值", "请去掉该值"},
	{"usage.needs-value", "option {option} needs a value", "write the value behind the option", "选项 {option} 需要一个值", "请在选项后写上值"},
	{"usage.not-a-number", "'{value}' is not a whole number for {option}", "give a whole number", "'{value}' 不是 {option} 的整数值", "请给出整数"},
	{"usage.bad-choice", "'{value}' is not a value of {option}; it takes {choices}", "choose one of them", "'{value}' 不是 {option} 的可选值；可选：{choices}", "请从中选择"},
	{"usage.step-size", "--step-size must be greater than 1, not {value}", "use 2 or more", "--step-size 必须大于 1，而不是 {value}", "请使用 2 或更大的值"},
	{"usage.min-above-max", "--min-conc {min} is greater than --max-conc {max}", "swap the two numbers", "--min-conc {min} 大于 --max-conc {max}", "请交换这两个数"},
	{"usage.no-evals-excludes", "--no-evals excludes {option}", "drop one of the two", "--no-evals 与 {option} 互斥", "请去掉其中一个"},
	{"usage.smoke-excludes", "--smoke excludes {option}", "drop one of the two", "--smoke 与 {option} 互斥", "请去掉其中一个"},
	{"usage.exp-name-repeated", "--exp-names names {name} twice", "name it once", "--exp-names 重复给出 {name}", "请只给出一次"},
	{"usage.exp-name-rows", "{count} rows have the exp-name {name}; --exp-names needs exactly one", "give a name that one row has", "有 {count} 行的 exp-name 为 {name}；--exp-names 要求恰好一行", "请给出只有一行拥有的名称"},
}
