"""Languages by name, in English and in Chinese: the one table of them. Knows no sentence."""

from __future__ import annotations

# Each in English, and what it is called in Chinese where it has a name of its own there.
_NAMES = """
English 英语 英文; Chinese 中文 汉语 普通话; Mandarin; Cantonese 粤语; French 法语 法文; German 德语 德文;
Spanish 西班牙语 西班牙文; Italian 意大利语 意大利文; Portuguese 葡萄牙语 葡萄牙文; Dutch 荷兰语; Russian 俄语 俄文;
Ukrainian 乌克兰语; Polish 波兰语; Czech 捷克语; Slovak 斯洛伐克语; Hungarian 匈牙利语; Romanian 罗马尼亚语;
Bulgarian 保加利亚语; Serbian 塞尔维亚语; Croatian 克罗地亚语; Greek 希腊语; Turkish 土耳其语; Hebrew 希伯来语;
Arabic 阿拉伯语; Persian 波斯语; Farsi; Hindi 印地语; Urdu 乌尔都语; Bengali 孟加拉语; Tamil 泰米尔语; Telugu 泰卢固语;
Marathi; Gujarati; Punjabi;
Kannada; Nepali; Sinhala; Burmese; Khmer; Mongolian 蒙古语; Albanian; Slovenian; Macedonian; Bosnian; Lithuanian;
Latvian; Estonian; Kazakh; Uzbek; Welsh; Basque; Afrikaans; Zulu; Xhosa; Yoruba; Igbo; Hausa; Amharic; Somali;
Japanese 日语 日文; Korean 韩语 韩文; Vietnamese 越南语; Thai 泰语; Indonesian 印尼语; Malayalam; Malay 马来语; Tagalog;
Swahili 斯瓦希里语; Swedish 瑞典语; Norwegian 挪威语; Danish 丹麦语; Finnish 芬兰语; Icelandic 冰岛语;
Catalan 加泰罗尼亚语; Latin 拉丁语
"""
_ROWS = [row.split() for row in _NAMES.split(";")]
IN_CHINESE = {chinese: english for english, *names in _ROWS for chinese in names}
# Patterns of the English names, as they are spelt, and of the Chinese ones.
ENGLISH_NAMES = rf"(?:{'|'.join(english for english, *_ in _ROWS)})"
CHINESE_NAMES = rf"(?:{'|'.join(IN_CHINESE)})"
