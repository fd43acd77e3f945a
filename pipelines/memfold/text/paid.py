"""Sums of money without a currency in typed Chinese: 火锅花了318, 押金是5200, 房租砍到2650."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memfold.text.scripts import HAN, IDEOGRAPH

# A sum ends its clause. A number with a noun or a unit behind it counts something else (花了3天, 给了20个).
_SUM = r"(?P<number>\d{1,9}(?:,\d{3})*(?:\.\d{1,2})?)(?![\d.,]*\d)"
_ENDS = rf"(?=多?(?:[了的吧呢啊啦嘛]|左右|出头|不到)?(?:\s|[^\w{HAN}%％°℃:：/-]|$))"
_ALL = r"(?:一共|总共|共|大概|差不多|将近|快|才|也|又|就|了|我|他|她|你|我们|人家)*"
# 花 means spending. A number that is given, paid or returned is money from ten on ("给了5" may be a mark).
_SPENT = rf"(?:花(?![园草卉样店])(?:了|掉了?|费了?)?{_ALL}|(?:砍|讲|谈)到了?|(?:报|要|开|叫|标)价(?:是|为|才|就|要)?)"
_GIVEN = (
    rf"(?:(?<![打发拨寄借送交转评])给了|付了|(?<![上提])交了|赔了|退了|转了|欠了?|垫了|报销了?|罚了){_ALL}"
)
_NOUN = (
    r"(?:押金|[定订]金|尾款|首付|月供|房租|租金|工资|[月底年时]薪|奖金|红包|单价|[进售原总成标]价|成本价?|预算|[医药学运路餐话车水电物中手保杂]费"
    r"|(?:中介|手续|保洁|快递|物业|服务|维修|停车|报名|装修|材料|伙食|生活|挂号|检查|治疗)费)"
)
_OF = (
    rf"(?P<noun>{_NOUN})(?:现在|目前|每月|一个月|一年|最后|最终|最多|最少|大概|一共|总共|才|只|就|也|都|是|为|要|共"
    r"|[涨降调加减]到了?|[交付给退扣]了)*"
)
_PAID = re.compile(rf"(?:(?P<spent>{_SPENT})|{_OF}|{_GIVEN}(?=\d\d))[\s：:]?{_SUM}{_ENDS}")
# More things with their costs behind the first: "挂号花了35，拍片120，药186".
_FURTHER = re.compile(
    rf"[了的]?(?:\s|[，,、])+(?P<of>(?![又还再剩离到在])[{HAN}]{{1,5}}(?<![了到价是为]))(?=\d\d){_SUM}{_ENDS}"
)
_TIME = re.compile(r"[点時时月年第周]\Z")


def paid(text: str) -> Iterator[tuple[str, int | None, int, int]]:
    """The sums of a text without a currency: the number, the end of the name of its thing (None behind a verb, where
    the payer may stand instead), and the start and end of the number."""
    if not IDEOGRAPH.search(text):
        return
    for m in _PAID.finditer(text):
        named = m.end("noun") if m["noun"] else m.start() if m["spent"] else None
        yield m["number"], named, *m.span("number")
        end = m.end("number") if (m["spent"] or "").startswith("花") else len(text)
        while (more := _FURTHER.match(text, end)) and not _TIME.search(more["of"]):
            yield more["number"], more.start("number"), *more.span("number")
            end = more.end("number")
