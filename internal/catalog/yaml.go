package catalog

// yamlTexts are the texts of the YAML reader.
var yamlTexts = []Text{
	{"yaml.syntax", "not valid YAML: {detail}", "correct the syntax at this line", "不是有效的 YAML：{detail}", "请修正该行的语法"},
	{"yaml.not-utf8", "the file is not valid UTF-8", "save the file as UTF-8", "文件不是有效的 UTF-8", "请以 UTF-8 编码保存文件"},
	{"yaml.control-character", "control character {code} is not allowed", "remove the character", "不允许出现控制字符 {code}", "请删除该字符"},
	{"yaml.tab", "a TAB stands where YAML allows only blanks", "replace the TAB by blanks", "此处出现制表符，YAML 只允许空格", "请用空格替换制表符"},
	{"yaml.root-not-mapping", "the root of this file is a {kind}, not a mapping", "write one mapping of keys to values", "此文件的根是{kind}，不是映射", "请写成由键到值的映射"},
	{"yaml.dialect", "'{text}' is not allowed here: the reference's reader refuses it", "leave out the backslash in double quotes; put a blank before a comment", "此处不允许出现 '{text}'：参考实现的读取器会拒绝它", "双引号内请直接写引号；注释前请加空格"},
	{"yaml.second-document", "a second YAML document begins here", "keep one document a file: remove the '---' line", "此处开始了第二个 YAML 文档", "每个文件只保留一个文档：删除 '---' 行"},
	{"yaml.depth", "nested deeper than {limit} levels", "flatten the structure", "嵌套超过 {limit} 层", "请减少嵌套层数"},
	{"yaml.duplicate-anchor", "anchor &{name} is defined twice", "give each anchor its own name", "锚点 &{name} 被定义了两次", "请为每个锚点使用不同的名称"},
	{"yaml.recursive-alias", "alias *{name} refers to a value that contains it", "write the value out instead", "别名 *{name} 引用了包含它自身的值", "请直接写出该值"},
	{"yaml.alias-bomb", "aliases unfold to more than {limit} values", "write the values out instead of nesting aliases", "别名展开后超过 {limit} 个值", "请直接写出这些值，不要嵌套别名"},
	{"yaml.no-value", "'{text}' has no value here", "quote it if you mean the text, or use an integer of at most 64 bits", "'{text}' 在此处没有值", "如果是文本请加引号；整数不得超过 64 位"},
	{"yaml.tag", "tag {tag} is not supported", "remove the tag", "不支持标签 {tag}", "请删除该标签"},
	{"yaml.tag-mismatch", "'{text}' is not a value of tag {tag}", "remove the tag or correct the value", "'{text}' 不是标签 {tag} 的值", "请删除标签或修正该值"},
	{"yaml.key-kind", "a {kind} cannot be a mapping key", "use a string key", "{kind} 不能作为映射的键", "请使用字符串键"},
	{"yaml.duplicate-key", "key '{key}' stands in line {first} and again in line {second}", "keep one of the two; the reference would silently take the last", "键 '{key}' 在第 {first} 行和第 {second} 行重复出现", "请只保留一个；参考实现会静默采用最后一个"},
	{"yaml.merge-refused", "the merge key '<<' is not allowed in this file", "write the merged keys out", "此文件不允许使用合并键 '<<'", "请直接写出被合并的键"},
	{"yaml.merge-source", "only a mapping or a list of mappings can be merged with '<<'", "merge a mapping", "'<<' 只能合并映射或映射列表", "请合并一个映射"},
}
