"""Chinese surnames and given names, which tell a name in a script without capitals. Knows no sentence."""

from __future__ import annotations

SURNAMES = (
    "王李张刘陈杨黄赵周吴徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾萧肖田董袁潘蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦方白邹孟熊秦邱江尹薛闫"
    "段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤张劉陳楊黃趙吳孫馬羅鄭謝許韓馮鄧蕭葉蘇魏呂盧鍾譚陸賈韋鄒閻雷龍賀顧龔萬錢嚴"
)
# Surnames that begin few other words (unlike 高中, 金融), for places where only the surname tells a name. Below: words
# that begin like names, and endings of words for persons and things (马来人, 王总).
_SURE = (
    "王李张刘陈杨黄赵周吴徐孙朱胡郭何林罗郑梁宋韩冯邓曹彭萧董袁潘蔡叶苏魏吕沈姚卢姜崔谭汪廖贾邹孟秦邱薛闫侯陶贺"
    "郝邵戴莫劉陳楊趙吳孫羅鄭韓馮鄧蕭葉蘇呂盧譚賈鄒閻賀"
)
_NO_NAME = (
    r"周[末日一二三四五六天岁边围]|黄[金牛昏油瓜色]|张[开口嘴罗三家]|何[时处必况苦人]|胡[说闹乱思子]|郑重|陈[列述旧年]"
    r"|罗[列嗦马汉]|王[者牌子妃后爷]|李[子四]|杨[梅树桃]|朱[红砂]|苏[打醒联格]|林[业场]|宋[朝代词城]|秦[朝代岭皇]|孟婆|侯[鸟门]"
    r"|陶[瓷醉艺]"
    r"|贺[卡年喜兰]|莫[名非大]|叶[子酸]|董[事秘]|孙[子女辈悟]|韩[国语剧系]"
    # Towns: 苏州, 邹城, 曹县, 沈阳.
    r"|.[州县市城](?![\u4e00-\u9fff])|.[州县市城][人市区县]|沈阳|吕梁|萧山|徐汇"
)
_NO_END = "人员生师总工哥姐手座族者迷控党粉牌领色民星货病的头家"
SURE_NAME = rf"(?!{_NO_NAME})[{_SURE}](?![上到不没的了是])[\u4e00-\u9fff]{{1,2}}?(?<![{_NO_END}])"

# Characters of given names. They tell a name without a surname where somebody asks to be called by it (志远, 雨桐).
# Characters of everyday words are left out (天, 一, 可, 月, 语), and so are words that two of the others form.
_GIVEN = (
    "伟芳娜敏静丽强磊洋艳勇杰军娟涛超霞平刚英华玉兰萍鹏辉玲红建文志远雨桐浩宇轩梓涵欣怡子墨诗晨思佳琪婷雪莹嘉俊豪博睿泽"
    "铭瑞晓梦琳洁倩颖慧美珍凤秀海波峰林森斌凯旭阳亮龙飞翔晶蕾薇妍瑶珊云霖乐安宁昊诺若熙曦悦彤馨依雅楠宏瀚煜卓然逸恒峻霆"
    "皓淑贞惠芬桂春秋冬夏燕莉莎蓉菲舒清源沐辰奕航宸朗柏松竹梅菊莲荷露星明德仁义礼智信忠孝"
)
GIVEN_NAME = rf"(?!安静|文明|清[晨明]|美丽|海洋|平安|桂林|春秋|明亮|忠信)[{_GIVEN}]{{2}}"
