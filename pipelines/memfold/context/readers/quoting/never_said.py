"""Tells, in Chinese, that something was never said: a sentence about the user's cat holds a word for cats, and a salary
comes with a sum. This is a table, because shared pairs of characters do not tell it: the context held .31 to 1.00 of
the weight of twelve questions without an answer, and .30 to 1.00 of fifty with one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence


def never_said(question: str, context: Sequence[str], chosen: Sequence[str]) -> bool:
    """Whether a question asks for a thing that no text of the `context` names, and no `chosen` text gives its value.
    The table has no nouns that only name a kind ("哪个牌子"): an answer need not repeat them."""
    asked = [(named, value) for of, named, value in _TOLD if of.search(question)]
    if _CODE.search(question):
        named = [text for text in context if _CODE_NAMED.search(text)]
        return not any(map(_WRITTEN.search, [*named, *chosen]))
    if any(_no_such_kin(owner[1], said, context) for of, said in _KIN if (owner := of.search(question))):
        return True
    return any(
        not any(map(named.search, context)) and not (value and any(map(value.search, chosen)))
        for named, value in asked
    )


def _no_such_kin(owner: str, said: str, context: Sequence[str]) -> bool:
    """Whether no text names a relative of `owner`. The user's own brother is not another person's."""
    own = not owner or _OWN.search(owner)
    # A child's uncle is the user's brother.
    if not own and _BY_CHILDREN.search(said):
        return False
    pattern = re.compile(rf"{'' if own else '(?<!我)(?<!我的)(?<!我家)(?<!咱)'}(?:{said})", re.IGNORECASE)
    return not any(map(pattern.search, context))


_ONE = r"(?:是|叫|有|在|做|当|得|今年|现在|多|几|长|属|喜欢|吃|怕|的)"
_COUNT = r"[\d一二两三四五六七八九十百千万半]"
# Four digits that are no year may be a sum without a currency.
_SUM = (
    rf"[$€£¥￥]\s?\d|{_COUNT}\s?(?:多|来)?(?:k\b|w\b|[万千元块]|[美欧日新港]元|新币|人民币|[A-Z]{{3}}\b)"
    r"|(?<!\d)(?!(?:19|20)\d\d(?!\d))\d{4,}"
)
# Things that consist of digits or letters, and what they look like.
_CODE = re.compile(
    r"(?:(?:[车证照卡学工单手机话牌银邮订门护户考快递编]号|号码)|电话|手机|联系方式|账号|帐号|密码|口令|验证码|邮箱|邮编|网址|域名)"
    r"(?:现在|到底)?(?:是(?:多少|什么|哪)|多少)"
)
_WRITTEN = re.compile(
    r"(?<![\d.:-])(?!\d{4}-\d\d-\d\d|(?:19|20)\d\d(?!\d))\d[\d -]{2,}\d(?![\d\s]*[元块万千个台米件箱公字])"
    r"|[A-Za-z][\w.@-]*\d[\w.@-]{2,}|[\w.-]+@[\w.-]+"
    r"|\w+\.(?:com|cn|org|net)|[零〇一二三四五六七八九]{3,}"
    # Or any value behind "is": "密码是我家狗的名字".
    r"|(?:码|号|[口命]令|箱|信|址|名)(?:就|都)?(?:[是为叫]|[改换设][成为])(?!多少|什么|哪|啥|不)",
    re.ASCII,
)
_CODE_NAMED = re.compile(
    r"电话|手机|号码|[证照卡学工单牌编]号|密码|口令|邮[箱编]|微信|网址|域名|QQ|车牌|\bphone|\bmail|\bpassword",
    re.IGNORECASE,
)
# Relatives: words of a question, with the owner if it is not the user, and words of an answer.
_KIN = tuple(
    (re.compile(rf"([^，。？！\s]{{0,4}}?)的?(?:{of})(?={_ONE})"), said)
    for of, said in (
        (
            r"老公|丈夫|爱人|老婆|妻子|太太|媳妇",
            r"老公|丈夫|爱人|先生|男人|[他她孩]子?[爸妈]|老婆|妻|太太|媳妇|[结已]婚|嫁|娶|husband|wife",
        ),
        (r"弟弟?", r"弟|兄|二胎|老二|儿子|brother"),
        (r"妹妹?", r"妹|二胎|老二|女儿|sister"),
        (r"哥哥?", r"哥|兄|brother"),
        (r"姐姐?", r"姐|sister"),
        (r"儿子", r"儿子|[孩娃]|宝|小子|\bson\b|\bkid"),
        (r"女儿|闺女", r"女儿|闺女|[孩娃]|宝|丫头|daughter|\bkid"),
        (r"爷爷|外公|姥爷", r"爷|外公|老人|grand"),
        (r"奶奶|外婆|姥姥", r"奶奶|外婆|姥|婆婆|老人|grand"),
        (r"[舅姑姨叔伯][舅姑姨叔伯父妈母]?", r"[舅姑姨叔伯]|uncle|aunt"),
    )
)
_BY_CHILDREN = re.compile("grand|uncle")
_OWN = re.compile(r"我|咱|俺")
# For each thing: words of a question, words that name it anywhere, and its value in a quoted text.
_TOLD = tuple(
    (re.compile(of), re.compile(named, re.IGNORECASE), re.compile(value, re.IGNORECASE) if value else None)
    for of, named, value in (
        # Animals and people.
        (rf"(?<!熊)猫咪?(?={_ONE})", r"猫|[喵咪]|布偶|[英美]短|\bcats?\b|\bkitt", ""),
        (
            rf"(?<!热)狗狗?(?={_ONE})",
            r"狗|犬|汪|柯基|金毛|泰迪|拉布拉多|哈士奇|边牧|比熊|博美|\bdogs?\b|\bpupp",
            "",
        ),
        (rf"女(?:朋)?友(?={_ONE})", r"女(?:朋)?友|对象|媳妇|未婚妻|老婆|girlfriend", ""),
        (rf"男(?:朋)?友(?={_ONE})", r"男(?:朋)?友|对象|未婚夫|老公|boyfriend", ""),
        # Things with a typical value.
        (
            r"生日(?:是|在)?(?:哪|什么时候|何时|几)",
            r"生日|出生|\bbirthday|\bborn\b",
            r"\d\s?[月号日]|[一二三四五六七八九十]月|[一二三十]号|\d/\d|节",
        ),
        (r"(?:工资|薪水|[月年]薪|底薪)[^，。？]{0,4}多少", r"工资|薪|收入|到手|底薪|offer|\bsalary", _SUM),
        (
            r"身高|[我你他她孩子宝弟妹哥姐爸妈](?:现在|今年)?(?:有|长)?多高",
            r"身高|个子|\btall\b",
            rf"{_COUNT}\s?(?:米|cm|厘米|公分)",
        ),
        (r"血型", r"血型|blood type", r"(?<![A-Za-z])(?:A|B|AB|O)型"),
        (r"(?:内存|显存)[^，。？]{0,4}多[大少]", r"内存|显存|\bRAM\b|memory", r"\d\s?(?:[KMGT]i?B?|兆)\b"),
        (r"(?:硬盘|磁盘)[^，。？]{0,4}多[大少]", r"[硬磁]盘|\bdisk|SSD", r"\d\s?(?:[GT]i?B?|个?[GT])\b"),
        (
            r"(?:哪所|哪个|什么|哪里?的?)(?:大学|学校|中学|高中)|(?:大学|学校|中学|高中)是哪",
            r"[大中小]学|幼儿园|托班|学院|[学母高]校|中学|高中|本科|毕业|专业|同学|[读念上]的?[书学研博]|[读念]的|[工师]大|理工|[北清浙复交武南人]大|\buni\b|universit|college|school|graduat",
            "",
        ),
        (
            r"什么病|哪种病|啥病|病因",
            r"(?!)",
            r"病(?![人房假床])|癌|炎|瘤|中风|梗[死塞]|出血|衰竭|感染|结石|骨折|肿|症|障碍|抑郁|焦虑|自闭|帕金森|痴呆|阿尔茨海默|三高|[血尿][压糖脂酸]高|结节|硬化|中毒|感冒|流感|发烧|过敏|阳性",
        ),
    )
)
