"""What the reader says around quotes, by language. Knows no question and no context.

The frame is in the question's language where it is one of these, else in English; a quote is as it was said.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from memfold.context.readers.quoting.asked import Unit
from memfold.context.readers.quoting.days import between, months


@dataclass(frozen=True, slots=True)
class Frame:
    """Sentences with places to fill. `no_room` is for a context in which no line fits, `idle` for small talk. `roles`
    names whoever is no user. `marks` stand around a quote, `units` are (one, several) of day, week, month, year.
    `another` is for a question that names one user, if the nearest sentence is another user's."""

    nothing: str
    no_room: str
    another: str
    idle: str
    quotes: str
    listed: str
    counted: str
    differ: str
    which: str
    apart: str
    added: str
    newest: str
    before: str
    orders: str
    prefers: str
    excluded: str
    roles: Mapping[str, str]
    marks: tuple[str, str]
    units: tuple[tuple[str, str], ...]


FRAMES = {
    "en": Frame(
        "I found no evidence of that in this conversation.",
        "A context of {budget} tokens has no room for a line of this conversation: ask with a larger budget.",
        "I found no evidence of that about {named} in this conversation; what comes nearest was said by {other}.",
        "You asked for nothing that was said, so I looked nothing up.",
        "Quoted from this conversation:",
        "Quoted from this conversation, in order of time ({n}):",
        "These are {n} statements of it; some may be of the same one.",
        "There is contradictory information about this in the conversation; these statements contradict each other:",
        "Which of these statements is correct?",
        "{length}, from {a} to {b}, reckoned from these quotes:",
        "{total} in all ({terms}), added up from these quotes:",
        "The newest statement:",
        "What was said before it:",
        "You gave a standing order that may apply here:",
        "You said what you prefer:",
        "Given up before:",
        {"assistant": "assistant", "tool": "tool", "system": "system"},
        ("“", "”"),
        (("day", "days"), ("week", "weeks"), ("month", "months"), ("year", "years")),
    ),
    "zh": Frame(
        "在这段对话中没有找到相关依据。",
        "{budget}个词元的上下文放不下这段对话中的任何一行：请用更大的预算再问一次。",
        "在这段对话中没有找到关于{named}的相关依据；最接近的话是{other}说的。",
        "你没有询问对话中的内容，所以我没有查找。",
        "对话原文：",
        "对话原文，按时间先后（{n}条）：",
        "以上是{n}条有关陈述，其中可能有重复。",
        "对话中关于这一点的说法互相矛盾：",
        "请问以上哪一种说法是正确的？",
        "{length}，从{a}到{b}，根据以下原文推算：",
        "一共{total}（{terms}），根据以下原文相加：",
        "最新的说法：",
        "此前的说法：",
        "你定下的规矩可能适用于此：",
        "你说过你的偏好：",
        "此前已排除：",
        {"assistant": "助手", "tool": "工具", "system": "系统"},
        ("“", "”"),
        (("天", "天"), ("周", "周"), ("个月", "个月"), ("年", "年")),
    ),
    "de": Frame(
        "Dazu habe ich in diesem Gespräch keinen Beleg gefunden.",
        "In {budget} Token passt keine Zeile dieses Gesprächs: frag mit einem größeren Budget.",
        "Dazu habe ich von {named} in diesem Gespräch keinen Beleg gefunden; am nächsten kommt ein Satz von {other}.",
        "Du hast nach nichts gefragt, was gesagt wurde; ich habe nichts nachgeschlagen.",
        "Zitate aus diesem Gespräch:",
        "Zitate aus diesem Gespräch, nach der Zeit geordnet ({n}):",
        "Das sind {n} Aussagen dazu; manche meinen vielleicht dasselbe.",
        "Das Gespräch widerspricht sich hierzu; diese Aussagen stehen gegeneinander:",
        "Welche dieser Aussagen stimmt?",
        "{length}, vom {a} bis zum {b}, berechnet aus diesen Zitaten:",
        "Zusammen {total} ({terms}), addiert aus diesen Zitaten:",
        "Die neueste Aussage:",
        "Was davor gesagt wurde:",
        "Hierfür gilt vielleicht eine Anweisung von dir:",
        "Du hast gesagt, was du bevorzugst:",
        "Bereits verworfen:",
        {"assistant": "Assistent", "tool": "Werkzeug", "system": "System"},
        ("„", "“"),
        (("Tag", "Tage"), ("Woche", "Wochen"), ("Monat", "Monate"), ("Jahr", "Jahre")),
    ),
    "fr": Frame(
        "Je n’ai trouvé aucune trace de cela dans cette conversation.",
        "Aucune ligne de cette conversation ne tient dans {budget} jetons : demande avec un budget plus grand.",
        "Je n’ai trouvé aucune trace de cela pour {named} dans cette conversation ; le plus proche est de {other}.",
        "Tu n’as rien demandé de ce qui a été dit ; je n’ai rien cherché.",
        "Citations de cette conversation :",
        "Citations de cette conversation, par ordre chronologique ({n}) :",
        "Ce sont {n} affirmations à ce sujet ; certaines parlent peut-être de la même chose.",
        "La conversation se contredit sur ce point ; ces affirmations s’opposent :",
        "Laquelle de ces affirmations est exacte ?",
        "{length}, du {a} au {b}, calculé d’après ces citations :",
        "{total} en tout ({terms}), additionnés d’après ces citations :",
        "L’affirmation la plus récente :",
        "Ce qui avait été dit avant :",
        "Une consigne que tu as donnée s’applique ici :",
        "Tu as dit ce que tu préfères :",
        "Déjà écarté :",
        {"assistant": "assistant", "tool": "outil", "system": "système"},
        ("« ", " »"),
        (("jour", "jours"), ("semaine", "semaines"), ("mois", "mois"), ("an", "ans")),
    ),
    "es": Frame(
        "No encontré nada sobre eso en esta conversación.",
        "En {budget} tokens no cabe ni una línea de esta conversación: pregunta con un presupuesto mayor.",
        "No encontré nada sobre eso de {named} en esta conversación; lo más cercano lo dijo {other}.",
        "No preguntaste por nada de lo dicho; no busqué nada.",
        "Citas de esta conversación:",
        "Citas de esta conversación, por orden de tiempo ({n}):",
        "Son {n} afirmaciones al respecto; algunas pueden referirse a lo mismo.",
        "La conversación se contradice sobre esto; estas afirmaciones se oponen:",
        "¿Cuál de estas afirmaciones es correcta?",
        "{length}, del {a} al {b}, calculado a partir de estas citas:",
        "{total} en total ({terms}), sumados a partir de estas citas:",
        "La afirmación más reciente:",
        "Lo que se dijo antes:",
        "Aquí se aplica una instrucción que diste:",
        "Dijiste lo que prefieres:",
        "Descartado antes:",
        {"assistant": "asistente", "tool": "herramienta", "system": "sistema"},
        ("«", "»"),
        (("día", "días"), ("semana", "semanas"), ("mes", "meses"), ("año", "años")),
    ),
    "ar": Frame(
        "لم أجد دليلاً على ذلك في هذه المحادثة.",
        "لا يتسع سياق من {budget} رمزاً لأي سطر من هذه المحادثة: اسأل بميزانية أكبر.",
        "لم أجد دليلاً على ذلك عن {named} في هذه المحادثة، وأقرب ما قيل قاله {other}.",
        "لم تسأل عن شيء مما قيل، لذلك لم أبحث عن شيء.",
        "اقتباسات من هذه المحادثة:",
        "اقتباسات من هذه المحادثة بحسب الترتيب الزمني ({n}):",
        "هذه {n} من الأقوال في ذلك، وقد يعني بعضها الشيء نفسه.",
        "في المحادثة معلومات متناقضة حول هذا، وهذه الأقوال يناقض بعضها بعضاً:",
        "أي هذه الأقوال هو الصحيح؟",
        "{length}، من {a} إلى {b}، محسوبة من هذه الاقتباسات:",
        "المجموع {total} ({terms})، محسوب من هذه الاقتباسات:",
        "أحدث قول:",
        "ما قيل قبله:",
        "ينطبق هنا توجيه سبق أن أعطيته:",
        "ذكرت ما تفضله:",
        "سبق استبعاده:",
        {"assistant": "المساعد", "tool": "الأداة", "system": "النظام"},
        ("«", "»"),
        (("يوم", "أيام"), ("أسبوع", "أسابيع"), ("شهر", "أشهر"), ("سنة", "سنوات")),
    ),
}


def frame(language: str) -> Frame:
    """The frame for a language; the English one for a language without its own."""
    return FRAMES.get(language, FRAMES["en"])


def length(words: Frame, one: date, other: date, unit: Unit) -> str:
    """The time between two days: in days, and in front of it in the unit that was asked for."""
    days = between(one, other)
    counted = [_count(words, days, 0)]
    if unit == "week":
        whole, rest = divmod(days, 7)
        counted.insert(0, " + ".join([_count(words, whole, 1)] + ([_count(words, rest, 0)] if rest else [])))
    if unit in ("month", "year"):
        whole = months(one, other)
        counted.insert(
            0, _count(words, whole if unit == "month" else whole // 12, 2 if unit == "month" else 3)
        )
    return " = ".join(counted) if unit == "week" else " / ".join(counted)


def _count(words: Frame, number: int, unit: int) -> str:
    name = words.units[unit][number != 1]
    return f"{number}{name}" if words is FRAMES["zh"] else f"{number} {name}"
