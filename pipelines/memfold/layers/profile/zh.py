"""What Chinese sentences say of the one who speaks: tables of patterns, as `en`. A surname tells a name, the end of a
word an occupation; what is supposed, past, or said of somebody else is left out by what stands around it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from memfold.layers.profile.claim import FIELD, Claim, an_age, marked, moved, of_late
from memfold.layers.profile.places import known
from memfold.text.numbers import CHINESE
from memfold.text.reported import in_earnest_zh
from memfold.text.surnames import GIVEN_NAME, SURE_NAME, SURNAMES
from memfold.text.tongues import CHINESE_NAMES, IN_CHINESE

_END = r"(?=\s*(?:[，。；！？,.;!?、（(\n]|$))"
# The rest of a list, behind its first thing: "、牛奶和鸡蛋".
_REST = r"(?:(?:、[\u4e00-\u9fffA-Za-z]{1,10}?){1,6}(?![\u4e00-\u9fffA-Za-z、]))?"
_NAME = (
    rf"(?:[{SURNAMES}](?!上|到|不|没|的|了|是)[\u4e00-\u9fff]{{1,2}}|[小阿老][\u4e00-\u9fff]|"
    # A name said twice, as children and friends are called: 朵朵.
    r"(?P<twice>(?![慢天偷好常刚人个样早妈爸爷奶哥姐弟妹叔伯婶姑舅姨公婆太娘爹嫂娃])[\u4e00-\u9fff])(?P=twice)|"
    rf"(?:欧阳|司马|诸葛|上官)[\u4e00-\u9fff]{{1,2}}|[A-Z][A-Za-z]+(?:\s[A-Z][a-z]+)*)"
)
# Who is called to come, and no name: "我叫老板，他没听见".
_NOBODY = r"老[板婆公师爸妈爷头乡伴娘弟哥姐]|小[孩姐偷弟妹哥]|阿[姨公婆爸妈哥姐妹弟]"
_ALSO = r"(?:\s*[（(](?P<other>[A-Z][A-Za-z]+(?:\s[A-Z][a-z]+)*|[\u4e00-\u9fff]{2,4})[)）])?"
# "我本来在北京做运营" is no more.
_NOW = r"(?:现在|目前|一直|如今|已经|其实|实际上|就|也|还|本来就)*"
_LATELY = r"(?:上个?|这个?|本)(?:周|星期|礼拜|月)[一二三四五六日天末]?|[昨今前]天|前[几两]天|去年|最近"
# What says that something has happened, and that it has or does of late: "今年搬到汉堡" may be a plan.
_HAPPENED = (
    r"(?:终于|总算|刚刚?|已经|上个?(?:周|星期|礼拜|月)[一二三四五六日天末]?|昨天|前天|前[几两]天|去年"
    r"|[一二两三几\d]+(?:天|周|个?月|个星期)前)"
)
_NEWLY = (
    rf"(?:{_HAPPENED}|正式|现在|如今|最近|今天|今年|(?:这个?|本)(?:周|星期|礼拜|月)[一二三四五六日天末]?)"
)
_HAIL = (
    r"(?:(?:[你您]们?好|大家好|嗨|哈喽|早上好|晚上好|太好了|好消息|告诉你一?个?|有?个?(?:好)?消息|更新一下|近况|哇|耶|对了"
    r"|猜猜看?|谢谢)[啊呀呢吧了]?[\s，。！!,.：:~～]*)*+"
)
# Who goes on to speak of themselves, behind their name or what they are: "我叫李明，今年30，住在杭州".
_GOING_ON = (
    r"我(?:叫|是|姓|今年)[^，。；！？,的了在去来给帮替问找他她妈爸]{1,12}[，,]\s*"
    r"(?:(?:今年|是|在|住)[^，。；！？,了去来给帮替问找他她妈爸]{1,14}[，,]\s*){0,2}"
)
_I = rf"(?:我|本人|{_GOING_ON})"
_LONG_AGO = re.compile(r"\d年(?!级)|小时候|年前|岁(?:那年|时)|毕业后|当年|那年|后来")
_GREETS = re.compile(rf"\s*{_HAIL}")
_NUMBER = r"(?:\d{1,3}|[一二三四五六七八九]?十[一二三四五六七八九]?|[一二三四五六七八九])"
_NOT_O = (
    r"(?:[，,、 ]*(?:而)?不是(?P<old>[^，。；！？,.;!?\s]{1,12}?)(?:了)?(?=\s*"
    r"(?:[，。；！？,.;!?]|$)))?"
)
_LATIN = r"(?:St\.\s|Ft\.\s|Mt\.\s)?[A-Z][A-Za-z]+(?:\s[A-Z][a-z]+)*(?:,\s?(?:[A-Z]\.){2,})?"
_PLACE = rf"(?P<home>[\u4e00-\u9fff]{{2,10}}?|{_LATIN})"
_NO_PLACE = re.compile(
    r"恐惧|阴影|梦|痛苦|想象|幻想|过去|回忆|孤独|焦虑|一[个间套栋座家处所]|[楼室层号]$|宿舍"
    r"|家$|家里|学校|公司|酒店|朋友|父母|爸|妈|附近$|的时候|这|那|哪|什么|你|他|她|城市$|农村$"
    r"|乡下$|郊区$|中$|里$|下$|服务器|系统|平台|版本|数据库|框架|[里讯为]云$|云[端上]|任务|项目|阶段|第.[章步]|部门|团队|组$|办公室|座位"
    r"|房间|卧室|隔壁|对面"
)
_JOB = (
    r"(?P<job>(?!你|他|她|我|个|这|那|不|谁|什么)[\u4e00-\u9fffA-Za-z/]{0,8}?(?:工程师|程序员"
    r"|设计师|教师|老师|教练|律师|会计师?|医师|医生|护士|药剂师|厨师|摄影师|分析师|咨询师"
    r"|建筑师|技师|技术员|研究员|售货员|服务员|公务员|消防员|飞行员|驾驶员|快递员|演员"
    r"|管理员|客服|销售|经理|总监|主管|教授|讲师|学生|大学生|研究生|博士生|硕士生|博士后"
    r"|科学家|作家|画家|音乐家|艺术家|企业家|记者|编辑|编剧|导演|翻译|司机|警察|军人|农民|工人"
    r"|护工|保安|秘书|助理|顾问|负责人|店长|主任|合伙人|创始人|导游|主播|创业者|自由职业者|急救员|心理学家|心理咨询师))"
)
# No job does, wants or looks for another: 找人做销售, 员工是销售. 招聘经理 and 对外汉语老师 are jobs.
_NO_JOB = re.compile(
    r"的|[你他她找做求请帮让是]|(?<!思)想|问(?!答)|招(?![聘商生])|给(?!排)|对(?!外)|在(?![读校职])|^[要去来见有没当跟把被叫喊骂等]"
    r"|^(?:好|坏|老|新|先|女|男|医|陌)生$"
)
_PROMOTED = r"被?(?:升职|升|晋升|提拔|提升|任命)[为任成到](?:了)?(?:一)?(?:名|位)?"
_TAKEN_UP = (
    r"(?:成为|(?:转行|改行|转岗)(?:去)?(?:做|当|成)|(?:开始)(?:做|当|担任))(?:了)?(?:一)?(?:名|位|个)?"
)
_FIRM = (
    r"(?P<firm>[A-Z][\w&. ]{1,24}?|[\u4e00-\u9fffA-Za-z]{2,14}?(?:公司|医院|大学|学校|银行"
    r"|学院|集团|研究所|研究院|事务所|中学|小学|出版社|报社|工厂))"
)
_NO_FIRM = re.compile(r"一[家个所间]|[这那哪某]|朋友|我们|你|他|她")
_REGIONS = (
    "北京|上海|天津|重庆|河北|山西|辽宁|吉林|黑龙江|江苏|浙江|安徽|福建|江西|山东|河南|湖北"
    "|湖南|广东|海南|四川|贵州|云南|陕西|甘肃|青海|台湾|内蒙古|广西|西藏|宁夏|新疆|香港|澳门"
    "|广州|深圳|杭州|南京|武汉|成都|西安|苏州|长沙|青岛|大连|厦门|宁波|郑州|沈阳|哈尔滨|昆明"
    "|台北|高雄|中国|美国|英国|法国|德国|日本|韩国|加拿大|澳大利亚|新加坡|马来西亚|意大利"
    "|西班牙|俄罗斯"
)

_CORRECTS = re.compile(
    r"(?:^|[，。！？,.!?])\s*(?:哦|啊|呃|嗯|等等|但|但是)*(?:不对?|不是|错了|其实|实际上|更正"
    r"|纠正|你记错|你搞错|说错|搞错|记错|抱歉|对不起|更新一下|你说错)[了的]?"
)

_NAMED = re.compile(
    rf"(?:我(?:的(?:中文)?(?:名字|姓名|全名)(?:是|叫)|{_NOW}叫(?:做)?|姓[{SURNAMES}][，, ]*"
    rf"(?:名|叫))|本人叫?)\s*(?!{_NOBODY})(?P<name>{_NAME}){_ALSO}{_END}"
)
# Who has a name in either script gives both: "I'm Kevin 陈凯文".
_TWO_NAMES = re.compile(
    r"(?:\bI'm|\bI am|\b[Mm]y name is|我叫|我是|我的名字是)\s*(?P<latin>[A-Z][a-z]+)"
    rf"\s*[（(]?(?P<han>{SURE_NAME})[)）]?{_END}"
)
# "我是" names somebody only where a message begins.
_NEWS_NAMED = re.compile(rf"^\s*{_HAIL}(?:我就?是|这里是)\s*(?P<name>{SURE_NAME}){_ALSO}{_END}")
_ENGLISH_NAME = re.compile(r"我?的?英文名(?:字)?(?:是|叫)\s*(?P<name>[A-Z][A-Za-z]+)")
_AGED = re.compile(
    rf"(?:我|本人)(?:今年|现在|已经|其实|{_LATELY}|刚刚?(?:过了?|过完|满)?|满|也|都|才|是)*\s*(?P<age>{_NUMBER})\s*"
    r"(?:周)?岁(?!的?(?:小?孩|儿子|女儿|宝宝|娃|男孩|女孩))(?:的?生日)?(?:了)?"
    # "我是一名47岁的护士"; "我是10岁孩子的妈妈" and "我是一个10岁的孩子的妈妈" tell a child's.
    rf"|(?:我|本人)(?:今年|现在)?是(?:一?[个名位])?(?P<being>{_NUMBER})\s*(?:周)?岁的(?![^，。；！？]*的)"
    rf"|{_I}今年(?:已经|刚刚?|才|都|也|就)?\s*(?P<bare>\d\d|[二三四五六七八九]十[一二三四五六七八九]?)[了啦]?{_END}"
)
# How somebody lives, and for how long, is no place: 住不惯, 住得很远, 住着挺舒服, 住够了, 住过杭州.
_LIVES = r"(?:住(?:在(?!不[远近同])|(?!在|[不得着过够了的惯腻厌烦久院校]|习惯|[下起][了来去]|[满进]了))|定居在?|居住在)"
_HOME = (
    re.compile(rf"(?:{_I}|我家|我们家){_NOW}{_LIVES}\s*{_PLACE}(?:了|的)?{_END}{_NOT_O}"),
    re.compile(rf"我(?:们)?(?:的)?新?家{_NOW}(?:就)?在\s*{_PLACE}{_END}{_NOT_O}"),
    re.compile(rf"我{_NOW}在\s*{_PLACE}(?:居住|定居了?|生活){_END}"),
)
# "我们搬到阿里云了": of what has another subject than 我 the place must be known, as in English.
_KIN = r"(?:老公|老婆|妻子|丈夫|先生|太太|爱人|对象|家人|孩子们?|男朋友|女朋友)"
_MOVES = (
    rf"(?:(?P<done>{_HAPPENED})|{_NEWLY}|又|全家|一起|都|也)*+(?:从(?P<old>[\u4e00-\u9fff]{{2,8}}?|[A-Z][A-Za-z]+))?"
    rf"(?:搬家?[到去来回至]|搬进|(?:移居|迁居|定居|落户)[到在]?)(?P<le>了)?\s*{_PLACE}(?P<end>了)?{_END}"
)
_MOVED = re.compile(rf"(?:(?P<i>我家?|我们家|我[和跟]我?{_KIN})|我们){_MOVES}")
_NEWS_MOVED = re.compile(rf"^\s*{_HAIL}{_MOVES}")
_NO_MORE_BUT = re.compile(
    rf"我(?:已经|现在)?不(?:再)?住(?:在)?[^，。；！？,.;!?]{{2,10}}了[，,]\s*(?:我)?(?:{_NEWLY})++(?:住在?|搬到了?)\s*{_PLACE}(?:了)?{_END}"
)
_NO_MORE = re.compile(
    r"我(?:已经|现在)?不(?:再)?住(?:在)?(?P<old>[\u4e00-\u9fffA-Z][\u4e00-\u9fffA-Za-z]{1,9}?)了"
)
_FROM = (
    re.compile(rf"我(?:是)?{_NOW}来自\s*(?P<home>[\u4e00-\u9fff]{{2,10}}?|[A-Z][A-Za-z]+){_END}"),
    re.compile(
        rf"我(?:就)?是(?:土生土长的|地道的)?(?P<home>(?:{_REGIONS})(?:[\u4e00-\u9fff]{{2}}(?=人))?)人{_END}"
    ),
)
_WORKS = (
    re.compile(
        rf"{_I}(?:现在|目前|其实|也|就|如今)*是(?:一)?(?:名|位|个)?(?:"
        rf"(?:在)?{_FIRM}的)?{_JOB}(?:了)?{_END}{_NOT_O}"
    ),
    re.compile(rf"我的(?:工作|职业)(?:现在)?是(?:一)?(?:名|位|个)?{_JOB}{_END}"),
    re.compile(rf"我{_NOW}在\s*{_FIRM}\s*(?:当|做|担任|任)(?:一)?(?:名|位|个)?{_JOB}{_END}"),
    re.compile(rf"我{_NOW}(?:当|担任|从事)(?:一)?(?:名|位|个)?{_JOB}{_END}"),
    re.compile(
        rf"我(?:叫|是)\s*{_NAME}[，,](?:[^，。；！？,你他她想找求问]{{0,12}}的|[做当])?(?![是做当]){_JOB}{_END}"
    ),
)
# What somebody works in who names no job, in a place or as a trade: "我在做设计" may be of today.
_FIELD = re.compile(
    rf"{_I}{_NOW}(?:是|在\s*(?P<where>[\u4e00-\u9fff]{{2,5}}))?(?P<does>做|从事|搞)(?P<field>[\u4e00-\u9fff]{{0,4}}?(?:设计|金融|教育"
    r"|教培|销售|运营|市场|营销|咨询|会计|审计|开发|测试|外贸|电商|餐饮|物流|传媒|媒体|翻译|科研|采购|行政|人事|财务|法务"
    rf"|投资|保险|装修|美容|摄影|建筑|医药|物业|房产|旅游|影视|生意|后端|前端|运维))(?P<trade>的|这一?行|行业|工作)?{_END}"
)
_NO_LONGER = re.compile(rf"我(?:已经|现在)*(?:不再?是|不再?[做当])(?:一)?(?:名|位|个)?{_JOB}了?{_END}")
_RETIRED = re.compile(rf"(?<!等)(?<!如果)我(?:{_NEWLY}|已经|也|都)*+退休(?:了|啦){_END}")
_BECAME = (
    re.compile(rf"我(?:{_NEWLY})*+{_PROMOTED}{_JOB}(?:了)?{_END}"),
    re.compile(rf"我(?:{_NEWLY})++{_TAKEN_UP}{_JOB}(?:了)?{_END}"),
    re.compile(rf"我{_TAKEN_UP}{_JOB}了{_END}"),
    re.compile(
        rf"我(?:{_NEWLY})*+(?:开始|找到|入职)了?(?:一份|份)?(?:新)?{_JOB}的新?(?:工作|职位|岗位)(?:了)?{_END}"
    ),
    re.compile(
        rf"我(?:已经|现在)?不(?:再)?[做当是][^，。；！？,.;!?]{{1,8}}了[，,]\s*(?:我)?(?:现在|如今)[是做当](?:一)?(?:名|位|个)?{_JOB}(?:了)?{_END}"
    ),
)
_NEWS_WORK = re.compile(rf"^\s*{_HAIL}(?:{_NEWLY})++(?:{_PROMOTED}|{_TAKEN_UP}){_JOB}(?:了)?{_END}")
_EMPLOYED = (
    re.compile(rf"我{_NOW}在\s*{_FIRM}\s*(?:工作|上班|任职|实习|就职)(?:了)?{_END}"),
    re.compile(
        r"我(?:刚刚?|最近|已经)?(?:换|找到)了(?:一份|份|个)?新?(?:的)?工作[，,]?(?:我)?"
        rf"(?:现在)?在\s*{_FIRM}(?:工作|上班|任职)?{_END}"
    ),
)
_LOST = re.compile(r"我(?:刚刚?|最近|已经|上周|上个月|昨天)*(?:失业了|被裁(?:员)?了|辞职了|丢了工作|离职了)")
_CALL = re.compile(
    r"(?:(?:^|[，。！？,.!?])\s*(?:请|你可以|您可以|可以|以后|就|直接|请直接|以后请|以后就)?|"
    rf"(?:请|可以|以后|直接|就|都))(?:叫|称呼|喊)我(?:为|做)?\s*(?P<name>{_NAME}"
    r"|[\u4e00-\u9fff]{1,3}(?:先生|女士|老师|医生|总|哥|姐|同学)"
    # Not "叫我一声就行", "叫我起床就好", "叫我早点就行".
    rf"|{GIVEN_NAME}(?=就好|就行|即可))"
    rf"(?:就好|就行|吧|即可|好了)?{_END}"
)
_SPEAKS = (
    (
        None,
        re.compile(
            rf"我(?:会说|会讲|能说|也会说|也会)(?P<many>(?:一点)?(?:{CHINESE_NAMES})(?:(?:[、和与,，]|以及)"
            rf"(?:一点)?(?:{CHINESE_NAMES}))*)"
        ),
    ),
    ("native", re.compile(rf"我的母语是(?P<many>{CHINESE_NAMES})")),
    ("learning", re.compile(rf"我(?:正在|在|最近在|开始)学(?:习)?(?P<many>{CHINESE_NAMES})")),
)
_ONE_LANGUAGE = re.compile(CHINESE_NAMES)
# What forbids; 别 also stands in words, and "don't forget to" forbids nothing.
_BAN = r"不[要用必许准](?!忘)|(?<![分特区])别(?![忘的人])|勿"
_TO_YOU = r"(?:^|[，。！？,!?])(?:请|以后|今后|从现在起|现在|你|您|都|就|也|可以)*"
_ANSWER_IN = re.compile(
    rf"(?<![我他她们])(?:请|以后|今后|都|一律|麻烦|只|总是|还是)(?:(?!{_BAN})[^，。；！？,.;!?]){{0,6}}?(?:用|使用|改用)"
    rf"(?P<value>{CHINESE_NAMES})(?:来)?(?:回答|回复|答复|交流|和我说|跟我说|写)"
    rf"|(?<![统机脑盘面幕件置言页站端])(?:换回|改回|切回|恢复(?:成|到|用)?)(?P<value2>{CHINESE_NAMES})(?:来)?(?:回答|回复|交流)?(?:吧|了)*(?=[，。！,!]|$)"
    # Behind what it takes the place of: "别用英语，用中文回答".
    rf"|{_TO_YOU}(?:(?:不要|别|不许)(?:再|继续)?(?:用|说)|不(?:再)?用)[^，,。]{{1,8}}[，,](?:请|而是|改)?用(?P<value3>{CHINESE_NAMES})(?:来)?(?:回答|回复|答复|交流)我?(?:吧|就好|就行)?(?=[，。！,!]|$)"
)
_ANSWER_NO_MORE = re.compile(
    rf"{_TO_YOU}(?:不用|不必|无需|不需要|不要|别|不许|不准)(?:再|继续)?(?:用|使用|说)(?P<value>{CHINESE_NAMES})"
    r"(?:来)?(?:(?:回答|回复|答复|交流)我?|和我说|跟我说)(?=[，。！,!了吧]|$)"
)
_STYLE = re.compile(
    r"我(?:更|比较|还是)?(?:喜欢|偏好|希望)(?P<value>[^，。；！？,.;!?]{0,12}?(?:简短|简洁"
    r"|详细|分步|一步步|带例子|有例子|直接)的?(?:回答|解释|说明|答案|回复))"
)
_FAVOURITE = re.compile(
    rf"我最(?:喜欢|爱)的(?P<key>[\u4e00-\u9fff]{{1,6}}?)(?:是|就是|叫)"
    rf"(?P<value>[^，。；！？,.;!?\s、]{{1,16}}?{_REST}){_END}"
)
_NO_KEY = re.compile(r"部分|地方|时刻|瞬间|一[个点次幕]|就$|事|人$")
_LIKES = (
    (
        "likes",
        re.compile(
            r"我(?:很|非常|特别|最|也|都|一直|真的|超|超级)*(?:喜欢|热爱|爱)(?P<value>(?!上|你|他|她"
            rf"|它|这|那|我|的|过|了)[\u4e00-\u9fffA-Za-z]{{1,10}}?{_REST}){_END}"
        ),
    ),
    (
        "dislikes",
        re.compile(
            r"我(?:很|非常|特别|最|也|真的|一直)*(?:讨厌|不喜欢|不爱)(?P<value>(?!你|他|她|它|这|那|我"
            rf"|的|过|了)[\u4e00-\u9fffA-Za-z]{{1,10}}?{_REST}){_END}"
        ),
    ),
)
_PREFERS = re.compile(
    rf"我(?:更喜欢|更爱|偏好|宁愿)(?P<value>(?!你|他|她|它|这|那|我)[^，。；！？,.;!?]{{2,20}}?){_END}"
)
_PRONOUN = re.compile(r"[你他她它这那]|自己|什么|怎么|的$")
_DIET = re.compile(
    r"我(?:是|也是|现在是)?(?:一个)?(?P<diet>素食者|素食主义者|纯素食者|吃素|乳糖不耐受)(?:的"
    rf"|了)?{_END}|我对(?P<allergy>[\u4e00-\u9fff]{{1,8}}?(?:、[\u4e00-\u9fff]{{1,8}}?){{0,6}})(?<!不)(?<!不再)过敏|我(?:从来)?(?:不吃|不喝)"
    rf"(?P<food>(?!的)[\u4e00-\u9fff]{{1,6}}?{_REST})(?:(?<!不[吃喝].)的)?{_END}"
)
# "羊肉我也不吃", and behind something else that somebody said of themselves "还有羊肉也不吃".
_TOPIC = re.compile(
    r"(?:(?:^|[，。！？,.!?])\s*(?:还有|另外)?[，,]?(?P<food>[\u4e00-\u9fff]{1,5}?)我(?:也|都|从来|一直|是)*"
    r"|^\s*(?:还有|另外|对了)[，,]?\s*(?P<more>[\u4e00-\u9fff]{1,5}?)(?:也|都))"
    rf"不(?P<does>[吃喝])的?{_END}"
)
_NO_TOPIC = re.compile(
    r"[这那什么怎你他她它时般常直总实在概先过以后前要说但所因反而不就都也的药]|[今昨明每]天|如果|可是|为了?$|本来"
)
_NO_DIET = re.compile(
    r"我(?:现在|已经|其实)*对(?P<allergy>[\u4e00-\u9fff]{1,8}?)(?:已经)?不(?:再)?过敏"
    r"|我(?:现在|已经|又|可以|能|开始)+(?P<eats>[吃喝])(?P<food>[\u4e00-\u9fff]{1,6}?)了"
    rf"{_END}"
)
_NO_FOOD = re.compile(r"[饭了下完饱惯]|早|晚|午|东西|[做买剩]$")
_ELLIPTIC = re.compile(
    r"^\s*(?:不|不对|错了|其实|说错了|更正|应该)?[，, ]*(?:应该)?是"
    r"(?P<value>[\u4e00-\u9fffA-Za-z]{2,10}?|\d{1,3})(?:岁)?[，,、 ]*(?:而)?不是"
    r"(?P<old>[\u4e00-\u9fffA-Za-z]{2,10}?|\d{1,3})(?:岁)?\s*(?:[。！.!]|(?<!\d)[，,]|$)"
)


def claims(sentence: str, corrects: bool = False, opens: bool = False) -> Iterator[Claim]:
    """What one sentence, without quotations, says of its speaker (see `en.claims`)."""
    for claim in _claims(sentence, opens):
        yield marked(claim, sentence[max(0, claim.start - 12) : claim.start], _CORRECTS, corrects=corrects)


def _told(text: str, *patterns: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """Where any of `patterns` matches in earnest, one pattern after the other."""
    for pattern in patterns:
        for match in pattern.finditer(text):
            if in_earnest_zh(text, match.start(), match.end()):
                yield match


def number(text: str) -> int:
    """An age in figures or characters, up to 99."""
    if text.isdigit():
        return int(text)
    tens, ten, ones = text.partition("十")
    return (CHINESE.get(tens, 1) * 10 + CHINESE.get(ones, 0)) if ten else CHINESE[text]


def _claims(text: str, opens: bool) -> Iterator[Claim]:
    yield from _names(text, opens)
    yield from _homes(text, opens)
    yield from _jobs(text, opens)
    for match in _told(text, _CALL):
        yield Claim("address", match["name"], match.start())
    yield from _tongues(text)
    yield from _tastes(text)
    if set_right := _ELLIPTIC.search(text):
        yield Claim("?", set_right["value"], set_right.start(), instead_of=set_right["old"])


def _names(text: str, opens: bool) -> Iterator[Claim]:
    """Names and ages."""
    for match in _told(text, _NAMED):
        yield Claim("name", match["name"], match.start(), script(match["name"]))
        if match["other"] and script(match["other"]) != script(match["name"]):
            yield Claim("name", match["other"], match.start(), script(match["other"]))
    for match in _told(text, _NEWS_NAMED) if opens else ():
        yield Claim("name", match["name"], match.start("name"), "han")
    for match in _told(text, _TWO_NAMES):
        yield Claim("name", match["latin"], match.start(), "latin")
        yield Claim("name", match["han"], match.start(), "han")
    for match in _told(text, _ENGLISH_NAME):
        yield Claim("name", match["name"], match.start(), "latin")
    for match in _told(text, _AGED):
        if an_age(age := str(number(match["age"] or match["being"] or match["bare"]))):
            yield Claim("age", age, match.start())


def _homes(text: str, opens: bool) -> Iterator[Claim]:
    for match in _told(text, *_HOME):
        if not _NO_PLACE.search(match["home"]):
            old = match.groupdict().get("old")
            yield Claim("home", match["home"].removesuffix("了"), match.start(), None, old)
    for match in _told(text, _NO_MORE_BUT):
        if not _NO_PLACE.search(match["home"]):
            yield Claim("home", match["home"], match.start(), correction=True)
    moves = (_MOVED, _NEWS_MOVED) if opens else (_MOVED,)
    for match in of_late(_told(text, *moves), _LONG_AGO):
        # "我搬到汉堡" may be a plan.
        if (match["done"] or match["le"] or match["end"]) and not _NO_PLACE.search(match["home"]):
            own, sure = bool(match.groupdict().get("i")), known(match["home"])
            if key := moved(own=own, sure=sure, old=match["old"]):
                yield Claim("home", match["home"], match.start(), None if own and sure else key, match["old"])
    for match in _told(text, _NO_MORE):
        yield Claim("home", None, match.start(), instead_of=match["old"], correction=True)
    for match in _told(text, *_FROM):
        if not _NO_PLACE.search(match["home"]):
            yield Claim("from", match["home"], match.start())


def _tongues(text: str) -> Iterator[Claim]:
    for key, pattern in _SPEAKS:
        for match in _told(text, pattern):
            for language in _ONE_LANGUAGE.findall(match["many"]):
                yield Claim("language", IN_CHINESE[language], match.start(), key)
    for match in _told(text, _ANSWER_NO_MORE):
        old = IN_CHINESE[match["value"]]
        yield Claim("answer language", None, match.start(), instead_of=old, correction=True)
    for match in _told(text, _ANSWER_IN):
        named = match["value"] or match["value2"] or match["value3"]
        yield Claim("answer language", IN_CHINESE[named], match.start())


def _jobs(text: str, opens: bool) -> Iterator[Claim]:
    changes = (*_BECAME, _NEWS_WORK) if opens else _BECAME
    for match in itertools.chain(_told(text, *_WORKS), of_late(_told(text, *changes), _LONG_AGO)):
        if _NO_JOB.search(match["job"]):
            continue
        yield Claim("job", match["job"], match.start(), instead_of=match.groupdict().get("old"))
        if (firm := match.groupdict().get("firm")) and not _NO_FIRM.search(firm):
            yield Claim("employer", firm.strip(), match.start())
    for match in _told(text, _FIELD):
        if match["trade"] or match["does"] == "从事" or (match["where"] and known(match["where"])):
            yield Claim("job", match["field"], match.start(), FIELD)
    for match in _told(text, _NO_LONGER):
        yield Claim("job", None, match.start(), instead_of=match["job"], correction=True)
    for match in _told(text, _RETIRED):
        yield Claim("job", "退休", match.start())
    for match in _told(text, *_EMPLOYED):
        if not _NO_FIRM.search(match["firm"]):
            yield Claim("employer", match["firm"].strip(), match.start(), correction="换" in match[0])
    for match in _told(text, _LOST):
        for attribute in ("job", "employer"):
            yield Claim(attribute, None, match.start(), correction=True)


def _tastes(text: str) -> Iterator[Claim]:
    styled = False
    for match in _told(text, _STYLE):
        styled = True
        yield Claim("answers", match["value"], match.start(), "prefers")
    for match in _told(text, _FAVOURITE):
        if not _NO_KEY.search(match["key"]):
            yield Claim("taste", match["value"], match.start(), f"favourite {match['key']}")
    for key, pattern in () if styled else (*_LIKES, ("prefers", _PREFERS)):
        for match in _told(text, pattern):
            if not _PRONOUN.search(match["value"]):
                yield Claim("taste", match["value"], match.start(), key)
    for match in _told(text, _DIET):
        if match["food"]:
            # Each by itself, so that each can be taken back.
            verb = "喝" if "不喝" in match[0] else "吃"
            for food in re.split(r"[、和或与]", match["food"]):
                if food and not _NO_FOOD.search(food):
                    yield Claim("diet", f"不{verb}{food}", match.start())
        elif match["allergy"]:
            yield Claim("allergy", match["allergy"], match.start())
        else:
            yield Claim("diet", match["diet"], match.start())
    for match in _told(text, _TOPIC):
        food = match["food"] or match["more"]
        if not (_NO_FOOD.search(food) or _NO_TOPIC.search(food)):
            yield Claim("diet", f"不{match['does']}{food}", match.start(), follows=match["more"] is not None)
    for match in _told(text, _NO_DIET):
        kind = "allergy" if match["allergy"] else "diet"
        old = match["allergy"] or f"不{match['eats']}{match['food']}"
        yield Claim(kind, None, match.start(), instead_of=old, correction=True)


def script(name: str) -> str:
    """Whose letters a name is written in: "han" or "latin"."""
    return "latin" if name[0].isascii() else "han"


def denies(sentence: str) -> bool:
    """Whether a short sentence says that something was wrong, so that the next one puts it right."""
    return len(sentence) < 20 and bool(_CORRECTS.search(sentence))


def greets(sentence: str) -> bool:
    """Whether a sentence only greets, or says that there is news (see `en.greets`)."""
    return _GREETS.fullmatch(sentence) is not None
