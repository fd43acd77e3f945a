"""The language of a message: by script, by common words, and mixed text by what most of it is."""

from __future__ import annotations

import pytest

from memfold.text.language import HEAD, clearly, language, likelier

SENTENCES = {
    "en": [
        "Can you help me write a cover letter?",
        "Thanks!",
        "Fix the failing unit tests",
        "Ya, sure",
        "Café visits are a thing",
    ],
    "zh": ["请帮我写一封信", "請幫我寫一封信", "好的", "这个API的latency是250ms，怎么optimize？"],
    "ja": ["今日は天気がいいですね", "東京タワーへ行きました", "ありがとう"],
    "ko": ["오늘 날씨가 좋네요"],
    "ru": ["Я не знаю, что делать"],
    "uk": ["Привіт, як справи? Що нового?"],
    "ar": ["كيف يمكنني القيام بذلك"],
    "fa": ["چگونه می‌توانم این کار را انجام دهم"],
    "he": ["שלום מה שלומך"],
    "el": ["Δεν ξέρω τι να κάνω"],
    "hi": ["मुझे नहीं पता क्या करना है"],
    "th": ["สวัสดีครับ"],
    "fr": ["Bonjour, je voudrais savoir comment faire", "Peux-tu m'aider avec mon projet ?"],
    "es": ["Necesito ayuda con mi proyecto de Python", "Mi hermana vive en Madrid desde hace dos años"],
    "de": [
        "Ich möchte wissen, wie das geht",
        "Kannst du mir bei meinem Projekt helfen?",
        "Beim 5. Anruf ging er dran",
    ],
    "it": ["Mi puoi aiutare con il mio progetto?", "Mi ha detto di no.", "La neve è bella"],
    "pt": ["Preciso de ajuda com o meu projeto", "Não sei o que fazer"],
    "nl": ["Ik wil graag weten hoe dat werkt"],
    "hu": ["Hol van a kávé?", "Mi a kutyám neve?", "A nevem Éva.", "Hány éves a lányom?"],
    "pl": ["Nie wiem, jak to zrobić"],
    "sv": ["Jag vill veta hur det fungerar", "Han har en hund."],
    "tr": ["Merhaba, bu nasıl yapılır?"],
    "vi": ["Tôi không biết phải làm gì"],
    "und": ["", "Ha ha ha", "12345", "x = y + 2", "👍", "\x00"],
}


@pytest.mark.parametrize(
    ("code", "text"), [(code, text) for code, texts in SENTENCES.items() for text in texts]
)
def test_language(code: str, text: str) -> None:
    assert language(text) == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("我们今天讨论 machine learning model deployment 的问题", "zh"),
        ("The word 你好 means hello in Chinese", "en"),
        ("我想买一台ニコン相机，预算五千元，主要拍风景和人像", "zh"),
        ("Let's see the results of the Привет function in the test", "en"),
    ],
)
def test_mixed_text_is_what_most_of_it_is(text: str, code: str) -> None:
    assert language(text) == code


def test_only_the_beginning_is_looked_at() -> None:
    assert language("Please read the text that follows. " * 20 + "请帮我" * 10_000) == "en"
    assert language("字" * HEAD + " the" * 10_000) == "zh"


@pytest.mark.parametrize(
    ("question", "likely", "told"),
    [
        ("Welches Messer hast du mir empfohlen?", "de", "de"),  # by its "du" alone French
        ("Isst Malte Fisch?", "de", "de"),
        ("¿Cuándo empezó la obra?", "es", "es"),  # by its accents Hungarian
        ("When do my parents come?", "de", "en"),
        ("Wo wohne ich jetzt, und seit wann wohne ich bei der Nachbarin?", "en", "de"),
        ("我现在住在哪里？", "de", "zh"),
        ("Isst Malte Fisch?", "zh", "und"),
        # A word that asks tells it, whatever names and nouns stand beside it.
        ("Welches Buch liest Deborah?", "en", "de"),
        ("Was kauft Deborah?", "en", "de"),
        ("Woher kennt Deborah Evan?", "en", "de"),
        ("Welchen Sport treibt Evan?", "und", "de"),
        ("Warum lacht Ben?", "en", "de"),  # "ben" is Turkish
        ("Quel sport pratique Evan ?", "en", "fr"),
        ("Comment va Deborah ?", "en", "fr"),
        ("Où dort Evan ?", "en", "fr"),
        ("Donde duerme Evan?", "en", "es"),
        ("¿Cuándo viaja Deborah?", "en", "es"),
        # Names and words that English has too tell none.
        ("Who is Müller?", "en", "en"),
        ("Was Deborah at Café Zürich?", "en", "en"),
        ("Was João in São Paulo?", "en", "en"),
        ("What did Jean eat at the Biergarten?", "en", "en"),
        ("Which comment did Quand Même make?", "en", "en"),
        ("Dove soap or shampoo?", "en", "en"),
        ("hat size?", "en", "en"),
        ("What was the WER of our model?", "de", "en"),
        ("How do I set the WEM of it?", "und", "en"),
    ],
)
def test_a_short_text_is_in_the_likely_language_unless_it_clearly_is_not(
    question: str, likely: str, told: str
) -> None:
    assert likelier(question, likely) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        # A word or two of another language tell nothing.
        ("no seat for 9, too late", "und"),
        ("we landed at 6, all fine", "en"),
        ("call me at 9.30. leaving at 11", "en"),
        ("OSError: [Errno 2] no such path: '/var/tmp/queue.db'", "und"),
        ("chili con carne tonight", "und"),
        ("the de facto rule", "en"),
        ("café del sol", "und"),
        # Such texts are clear.
        ("Mi hermano trabaja en una tienda", "es"),
        ("Jeg er glad i dag og vil svømme", "da"),
        ("Bitte ruf mich nicht an", "de"),
        ("Não sei o que fazer", "pt"),
        # An accent that several languages have is no Hungarian one, and "he" no English word alone.
        ("De ahora en adelante, trátame de usted.", "es"),
        ("Mi padre murió en 2009, todavía le echo de menos.", "es"),
        ("Ahora mi jefe ya me cae mejor, hoy me ha apoyado mucho.", "es"),
        ("He decidido aprender gallego este año.", "es"),
        ("Désormais, fais des réponses courtes, trois phrases au maximum.", "fr"),
        ("J'ai déménagé : j'habite maintenant à Dijon.", "fr"),
        ("Az új lakásom szép, és nagyon olcsó.", "hu"),
        ("我想买一台相机", "zh"),
    ],
)
def test_what_somebody_writes_needs_more_than_a_word(text: str, told: str) -> None:
    assert clearly(text) == told
