"""Languages by name, in English, Chinese, German, Spanish, French, Italian and Portuguese: the one table of them. Knows
no sentence."""

from __future__ import annotations

from memfold.text.scripts import IDEOGRAPH

# Each in English, and what it is called in Chinese and in other languages where it has a name of its own there, but for
# "chino", which English says of trousers.
_NAMES = """
English 英语 英文 Englisch inglés anglais inglese inglês; Chinese 中文 汉语 普通话 Chinesisch chinois
cinese chinês; Mandarin mandarín mandarino mandarim; Cantonese 粤语 Kantonesisch cantonés
cantonais cantonese cantonês; French 法语 法文 Französisch francés français francese francês; German
德语 德文 Deutsch alemán allemand tedesco alemão; Spanish 西班牙语 西班牙文 Spanisch español espagnol
spagnolo espanhol; Italian 意大利语 意大利文 Italienisch italiano italien; Portuguese 葡萄牙语 葡萄牙文
Portugiesisch portugués portugais portoghese português; Dutch 荷兰语 Niederländisch neerlandés
néerlandais olandese holandês; Russian 俄语 俄文 Russisch ruso russe russo; Ukrainian 乌克兰语
Ukrainisch ucraniano ukrainien ucraino; Polish 波兰语 Polnisch polaco polonais polacco polonês;
Czech 捷克语 Tschechisch checo tchèque ceco tcheco; Slovak 斯洛伐克语; Hungarian 匈牙利语 Ungarisch húngaro
hongrois ungherese; Romanian 罗马尼亚语 Rumänisch rumano roumain rumeno romeno; Bulgarian 保加利亚语
Bulgarisch búlgaro bulgare bulgaro; Serbian 塞尔维亚语 Serbisch serbio serbe serbo sérvio; Croatian
克罗地亚语 Kroatisch croata croate croato; Greek 希腊语 Griechisch griego grec greco grego; Turkish 土耳其语
Türkisch turco turc; Hebrew 希伯来语 Hebräisch hebreo hébreu ebraico hebraico; Arabic 阿拉伯语 Arabisch
árabe arabe arabo; Persian 波斯语 Persisch persa persan persiano; Farsi; Hindi 印地语; Urdu 乌尔都语;
Bengali 孟加拉语; Tamil 泰米尔语; Telugu 泰卢固语; Marathi; Gujarati; Punjabi; Kannada; Nepali; Sinhala;
Burmese; Khmer; Mongolian 蒙古语; Albanian; Slovenian; Macedonian; Bosnian; Lithuanian; Latvian;
Estonian; Kazakh; Uzbek; Welsh; Basque; Afrikaans; Zulu; Xhosa; Yoruba; Igbo; Hausa; Amharic;
Somali; Japanese 日语 日文 Japanisch japonés japonais giapponese japonês; Korean 韩语 韩文 Koreanisch
coreano coréen; Vietnamese 越南语 Vietnamesisch vietnamita vietnamien; Thai 泰语 Thailändisch
tailandés thaï thailandese tailandês; Indonesian 印尼语 Indonesisch indonesio indonésien
indonesiano indonésio; Malayalam; Malay 马来语; Tagalog; Swahili 斯瓦希里语; Swedish 瑞典语 Schwedisch
sueco suédois svedese; Norwegian 挪威语 Norwegisch noruego norvégien norvegese norueguês; Danish
丹麦语 Dänisch danés danois danese dinamarquês; Finnish 芬兰语 Finnisch finés finnois finlandese
finlandês; Icelandic 冰岛语 Isländisch islandés islandais islandese islandês; Catalan 加泰罗尼亚语
Katalanisch catalán catalano catalão; Latin 拉丁语 Latein latín latim
"""
_ROWS = [row.split() for row in _NAMES.split(";")]
IN_CHINESE = {name: english for english, *names in _ROWS for name in names if IDEOGRAPH.match(name)}
# By the names in Latin letters, in lower case.
IN_LATIN = {name.lower(): row[0] for row in _ROWS for name in row if name not in IN_CHINESE}
# Patterns of the English names, as they are spelt, of those in Latin letters, in lower case, and of the Chinese ones.
ENGLISH_NAMES = rf"(?:{'|'.join(english for english, *_ in _ROWS)})"
LATIN_NAMES = rf"(?:{'|'.join(IN_LATIN)})"
CHINESE_NAMES = rf"(?:{'|'.join(IN_CHINESE)})"
