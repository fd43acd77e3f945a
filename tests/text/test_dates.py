"""Dates in text against the day it was said: 11 March 2026, a Wednesday."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memfold.text.dates import mentions, ranges

SAID = date(2026, 3, 11)


def read(text: str, said: date | None = SAID) -> list[tuple[str, str, str]]:
    return [(each.literal, str(each.first), str(each.last)) for each in ranges(text, said)]


@pytest.mark.parametrize(
    ("text", "literal", "first", "last"),
    [
        ("It ends on 15 March.", "15 March", "2026-03-15", "2026-03-15"),
        ("It ends on March 15th, 2024!", "March 15th, 2024", "2024-03-15", "2024-03-15"),
        ("due 3/15, they said", "3/15", "2026-03-15", "2026-03-15"),
        ("at 2024-01-15T10:00", "2024-01-15", "2024-01-15", "2024-01-15"),
        ("Call me tomorrow at 5 PM.", "tomorrow", "2026-03-12", "2026-03-12"),
        ("We left last night.", "last night", "2026-03-10", "2026-03-10"),
        ("See you next Friday.", "next Friday", "2026-03-20", "2026-03-20"),
        ("I have been ill since Monday.", "since Monday", "2026-03-09", "2026-03-09"),
        ("A couple of weeks ago", "A couple of weeks ago", "2026-02-25", "2026-02-25"),
        ("The fair is this weekend.", "this weekend", "2026-03-14", "2026-03-15"),
        ("We moved three months ago.", "three months ago", "2025-12-01", "2025-12-31"),
        ("It ships in May or so", "May", "2026-05-01", "2026-05-31"),
        ("Built in March 2024.", "March 2024", "2024-03-01", "2024-03-31"),
        ("Revenue of Q3 2024", "Q3 2024", "2024-07-01", "2024-09-30"),
        ("March 5-10 in Rome", "March 5-10", "2026-03-05", "2026-03-10"),
        ("**April 8-10:** first draft", "April 8-10", "2026-04-08", "2026-04-10"),
        ("- May 27 - May 29: revision", "May 27 - May 29", "2026-05-27", "2026-05-29"),
        ("May 5: talk with Ann", "May 5", "2026-05-05", "2026-05-05"),
        ("from March 29 to April 12", "March 29 to April 12", "2026-03-29", "2026-04-12"),
        ("December 20 to January 5", "December 20 to January 5", "2025-12-20", "2026-01-05"),
        ("between 5 May and 9 May 2024", "5 May and 9 May 2024", "2024-05-05", "2024-05-09"),
        ("Dec 20 to Jan 5, 2024", "Dec 20 to Jan 5, 2024", "2023-12-20", "2024-01-05"),
        ("上周五见过他", "上周五", "2026-03-06", "2026-03-06"),
        ("三天后出发", "三天后", "2026-03-14", "2026-03-14"),
        ("三月十五日开会", "三月十五日", "2026-03-15", "2026-03-15"),
        ("兩週後考試", "兩週後", "2026-03-25", "2026-03-25"),
        ("去年5月搬的家", "去年5月", "2025-05-01", "2025-05-31"),
        ("上个月辞职了", "上个月", "2026-02-01", "2026-02-28"),
        ("3月5日至9日在北京", "3月5日至9日", "2026-03-05", "2026-03-09"),
        ("验收推到 3 月 18 日。", "3 月 18 日", "2026-03-18", "2026-03-18"),
        ("2024 年 12 月 3 号签的合同", "2024 年 12 月 3 号", "2024-12-03", "2024-12-03"),
        ("去年 5 月搬的家", "去年 5 月", "2025-05-01", "2025-05-31"),
        ("4 月 28 日到 5 月 3 日放假", "4 月 28 日到 5 月 3 日", "2026-04-28", "2026-05-03"),
        ("3 月 5 日至 9 日在北京", "3 月 5 日至 9 日", "2026-03-05", "2026-03-09"),
        ("下个月 1 号交房租", "下个月 1 号", "2026-04-01", "2026-04-01"),
        ("3 天后出发", "3 天后", "2026-03-14", "2026-03-14"),
        ("4月20 日本见", "4月20", "2026-04-20", "2026-04-20"),
        ("Treffen am 15. Mai um acht", "15. Mai", "2026-05-15", "2026-05-15"),
        ("le 1er août 2024", "1er août 2024", "2024-08-01", "2024-08-01"),
        ("el 5 de enero de 2025", "5 de enero de 2025", "2025-01-05", "2025-01-05"),
    ],
)
def test_a_date_is_resolved_against_the_day_it_was_said(
    text: str, literal: str, first: str, last: str
) -> None:
    assert read(text) == [(literal, first, last)]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("The kitchen finally arrived on Friday.", "2026-03-06"),
        ("We started puppy school on Tuesday evening.", "2026-03-10"),
        ("Long run on Sunday (logged)", "2026-03-08"),
        ("On Friday, I got great news.", "2026-03-06"),
        ("Did it arrive on Friday?", "2026-03-06"),
        ("The party on Saturday was great.", "2026-03-07"),
        ("I finished it by Monday.", "2026-03-09"),
        ("I had an appointment on Friday.", "2026-03-06"),
        ("On Friday we booked the flights.", "2026-03-06"),
        ("My boss told me on Friday.", "2026-03-06"),
        ("Second fitting done on Friday.", "2026-03-06"),
        ("Bloods taken on Tuesday, all fine.", "2026-03-10"),
        ("The car's broken down on Friday.", "2026-03-06"),
        ("Dad's fallen again, on Friday evening, at home.", "2026-03-06"),
        ("She's been to the vet on Monday.", "2026-03-09"),
        ("The dog's died on Friday.", "2026-03-06"),
        ("I cut my hand on Friday.", "2026-03-06"),
        ("Me and Tom split up on Saturday.", "2026-03-07"),
        ("Mum let us have the car on Saturday.", "2026-03-07"),
        ("Anna quit on Friday.", "2026-03-06"),
        ("The bell rang on Friday.", "2026-03-06"),
        ("Just on Friday, I found a gym.", "2026-03-06"),
        # What is told behind a comma may be of another day.
        ("Client meeting on Friday, they liked it.", "None"),
        ("Interview on Tuesday, they asked me about Kafka.", "None"),
        ("Exam on Friday, I started revising.", "None"),
        ("He broke his arm, surgery on Friday.", "None"),
        ("Kitchen done, bathroom on Friday.", "None"),
        ("The boiler's broken, so heating on Friday is out.", "None"),
        ("I saw her on Wednesday.", "None"),  # today or a week ago
        ("I bought a dress for the wedding on Saturday.", "None"),
        ("The parcel was supposed to arrive on Friday.", "None"),
        ("I swim on Friday evenings.", "None"),
        ("星期天我跑了十公里", "2026-03-08"),
        ("星期六，我們去了台北", "2026-03-07"),
        ("周五我没去上班", "2026-03-06"),
        ("周三我去了医院", "None"),
        ("周一要开会", "2026-03-16"),
    ],
)
def test_a_verb_of_the_past_looks_back_for_its_weekday(text: str, first: str) -> None:
    assert [day for _, day, _ in read(text)] == [first]


@pytest.mark.parametrize(
    "text",
    [
        "Dentist on Friday at 3.",
        "I have an exam on Friday.",
        "I've got an appointment on Friday.",
        "We'll have finished by Friday.",
        "I want it finished by Friday.",
        "Send signed forms by Friday.",
        "I scheduled a call on Friday.",
        "She asked me to come on Friday.",
        "We told Anna that the concert on Friday is off.",
        "I'm excited about the trip on Friday.",
        "I was wondering if we could meet on Friday.",
        "The finished report goes out on Friday.",
        "Who moved? On Friday we meet.",
        "Ahmed plays on Friday.",
        "I got a new job and start on Friday.",
        "I packed everything and fly out on Friday.",
        "Let me know on Friday.",
        "Please put it on the list on Friday.",
        "Is the work done on Friday?",
        "I need my bloods taken on Friday.",
        "It must be done by Friday.",
        "Are you done on Friday?",
        "Shall we split the bill on Friday?",
        "If I cut the hedge on Friday, will you help?",
        "I always put the bins out on Friday.",
        "Help Tom cut the hedge on Friday.",
        "Hair cut on Friday at 3.",
        "I've been nervous and have the exam on Friday.",
        "The car's booked in on Friday.",
        "Dad's birthday on Friday!",
        "Dinner on Friday, can you bring wine?",
        "Party on Friday, I booked a table.",
        "周五考试",
        "周五就要考试了",
        "周五的会议取消了",
        "面试改到周五了",
        "周五下了课一起吃饭",
        "这周五我买了票",
    ],
)
def test_no_other_verb_looks_back(text: str) -> None:
    assert [day for _, day, _ in read(text)] == ["2026-03-13"]


def test_a_verb_behind_and_may_be_of_another_time() -> None:
    assert read("I paid the fee and take the exam on Friday.") == [("on Friday", "None", "None")]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Our wedding will be on October 5.", "2026-10-05"),
        ("The baby is due on October 28.", "2026-10-28"),
        ("We are flying to Japan on 3 November.", "2026-11-03"),
        ("We fly to Japan on November 3.", "2026-11-03"),
        ("School starts on October 5.", "2026-10-05"),
        ("I plan to move in November.", "2026-11-01"),
        ("The report is due 10/15.", "2026-10-15"),
        ("We will be in Rome from October 5 to October 9.", "2026-10-05"),
        ("10月5日我们要去北京", "2026-10-05"),
        ("婚礼定在10月5日", "2026-10-05"),
        ("We adopted Rex on June 1.", "2025-06-01"),
        ("In June we moved to Rome.", "2025-06-01"),
        ("I have lived here since June.", "2025-06-01"),
        ("6月1日我们领养了一只狗", "2025-06-01"),
        # Near by, or not told, it is the nearest as ever.
        ("We met on March 20.", "2026-03-20"),
        ("The exam will be on March 1.", "2026-03-01"),
        ("The wedding was on October 5.", "2025-10-05"),
        ("I will print the photos from October 5.", "2025-10-05"),
        ("We booked the hall for June 1.", "2026-06-01"),
        # What is moved to a day or booked for it lies ahead.
        ("They double booked 5 october.", "2026-10-05"),
        ("We were moved to 5 october and enjoyed it.", "2025-10-05"),
        ("It was moved to 5 october last year.", "2025-10-05"),
        ("I booked flights for 5 october and they lost my bag.", "2025-10-05"),
        ("I was free on 5 october so I went.", "2025-10-05"),
        ("I wasn't free on 5 october.", "2025-10-05"),
        ("I was still free on 5 october.", "2025-10-05"),
        # When it was moved, and what was done then, says nothing of the day.
        ("I booked the venue for 5 october last month.", "2026-10-05"),
        ("We moved it to 5 october a week ago.", "2026-10-05"),
        ("The exam is moved to 5 october and i had to change my flight.", "2026-10-05"),
        ("Only 5 october is free, which was the date dad wanted.", "2026-10-05"),
        ("It was moved to 5 october a year ago.", "2025-10-05"),
        ("The wedding was moved to 5 October.", "2026-10-05"),
        ("My exam got postponed to december 2.", "2026-12-02"),
        ("The hall is booked for the 5th of October.", "2026-10-05"),
        ("Only 5 october is free.", "2026-10-05"),
        ("the deadline for the grant is 15 october", "2026-10-15"),
        ("essay deadline 15 october", "2026-10-15"),
        ("They moved it from 20 September to 5 October.", "2026-09-20"),
        ("It was originally booked for 5 October.", "2025-10-05"),
        ("We were booked in on 5 October and it was lovely.", "2025-10-05"),
        ("The deadline was 15 October.", "2025-10-15"),
        ("Was machen wir am 1. Juni?", "2026-06-01"),
    ],
)
def test_the_tense_tells_the_year_of_a_date_far_away(text: str, first: str) -> None:
    assert read(text)[0][1] == first


@pytest.mark.parametrize(
    ("text", "literal", "first"),
    [
        ("We married on 3 May last year.", "3 May last year", "2025-05-03"),
        ("I fly on March 3rd of next year.", "March 3rd of next year", "2027-03-03"),
        ("It was signed on July 4, 1776.", "July 4, 1776", "1776-07-04"),
        ("On 14 July 1789, the Bastille fell.", "14 July 1789", "1789-07-14"),
        ("She was born on 3 May '87.", "3 May '87", "1987-05-03"),
        ("The visa ends on 3 May '29.", "3 May '29", "2029-05-03"),
        ("Nací el 3 de enero del 1985.", "3 de enero del 1985", "1985-01-03"),
        ("el 15 de octubre del año 2018", "15 de octubre del año 2018", "2018-10-15"),
        ("el 3 de mayo del año pasado", "3 de mayo del año pasado", "2025-05-03"),
        ("el 3 de mayo del año que viene", "3 de mayo del año que viene", "2027-05-03"),
        ("le 3 mai de l'année dernière", "3 mai de l'année dernière", "2025-05-03"),
        ("le 3 mai de l’an dernier", "3 mai de l’an dernier", "2025-05-03"),
        ("le 3 mai dernier", "3 mai dernier", "2025-05-03"),
        ("le 3 mars dernier", "3 mars dernier", "2026-03-03"),
        ("le 3 mars prochain", "3 mars prochain", "2027-03-03"),
        ("am 3. Mai letzten Jahres", "3. Mai letzten Jahres", "2025-05-03"),
        ("geboren am 3. Mai '87", "3. Mai '87", "1987-05-03"),
        ("il 3 maggio dell'anno scorso", "3 maggio dell'anno scorso", "2025-05-03"),
        ("em 3 de maio do ano passado", "3 de maio do ano passado", "2025-05-03"),
        ("我去年的5月3日结婚的", "去年的5月3日", "2025-05-03"),
        ("前年的6月1日", "前年的6月1日", "2024-06-01"),
        ("大前年的5月3日", "大前年的5月3日", "2023-05-03"),
        ("大后年的5月3日", "大后年的5月3日", "2029-05-03"),
        ("el pasado 20 de diciembre", "20 de diciembre", "2025-12-20"),
        ("el próximo 20 de diciembre", "20 de diciembre", "2026-12-20"),
        ("am letzten 3. März", "3. März", "2026-03-03"),
        ("来年の5月3日に引っ越します", "来年の5月3日", "2027-05-03"),
        ("一昨年の5月3日", "一昨年の5月3日", "2024-05-03"),
        ("二〇二四年五月三日", "二〇二四年五月三日", "2024-05-03"),
        ("1776年7月4日", "1776年7月4日", "1776-07-04"),
        ("1644年4月25日", "1644年4月25日", "1644-04-25"),
        ("昭和60年8月12日に生まれた", "昭和60年8月12日", "1985-08-12"),
        ("令和元年5月1日", "令和元年5月1日", "2019-05-01"),
        ("我是民国八十年5月3日出生的", "民国八十年5月3日", "1991-05-03"),
        # Of which century or era it is, nobody says.
        ("98年5月3日", "98年5月3日", "None"),
        ("公元前1046年1月20日", "公元前1046年1月20日", "None"),
        # It may be an hour.
        ("Appt 12 June 1345.", "12 June 1345", "None"),
        # The year stands before it, or what stands beside it is no year.
        ("Last year on 3 May we married.", "3 May", "2025-05-03"),
        ("El año pasado, el 3 de mayo, me casé.", "3 de mayo", "2025-05-03"),
        ("Letztes Jahr am 3. Mai war ich krank.", "3. Mai", "2025-05-03"),
        ("On May 5, 1200 people came.", "May 5", "2026-05-05"),
        ("I ate on 5 May 1800 kcal.", "5 May", "2026-05-05"),
        ("Ich zahle am 3. Mai 1250 Euro Miete.", "3. Mai", "2026-05-03"),
        ("Ich habe am 3. Mai 1500 € überwiesen.", "3. Mai", "2026-05-03"),
        ("I paid on May 3, 1200 USD.", "May 3", "2026-05-03"),
        ("On May 3, 1200 Americans came.", "May 3", "2026-05-03"),
        ("The flight leaves on 12 June 1830 and lands at 2100.", "12 June", "2026-06-12"),
        ("The maintenance is on June 12, 1500 GMT.", "June 12", "2026-06-12"),
        ("We will pay by May 3, 1500 for rent.", "May 3", "2026-05-03"),
        ("Sales: May 3, 1570; May 4, 1680; up.", "May 3", "2026-05-03"),
        ("On May 5 '10 things' begins.", "May 5", "2026-05-05"),
        ("On May 3 '10 Things I Hate About You' airs.", "May 3", "2026-05-03"),
        ("We watch on 5 May '12 Monkeys'.", "5 May", "2026-05-05"),
        ("On May 5 last year's prices end.", "May 5", "2026-05-05"),
    ],
)
def test_the_year_beside_a_day_is_its_year(text: str, literal: str, first: str) -> None:
    assert next(each[:2] for each in read(text) if each[0] != "Last year") == (literal, first)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("from 3 May to 5 June 1789", "1789-05-03", "1789-06-05"),
        ("July 4-6, 1776", "1776-07-04", "1776-07-06"),
        ("from 3 May to 5 June last year", "2025-05-03", "2025-06-05"),
        ("from 3 May last year to 5 June", "2025-05-03", "2025-06-05"),
        # A place is no street.
        ("J'ai réservé une place du 3 mai au 8 mai.", "2026-05-03", "2026-05-08"),
        ("Reservé una plaza del 3 de mayo al 5 de mayo.", "2026-05-03", "2026-05-05"),
        ("Vom 20. November bis zum 3. Dezember war ich weg.", "2025-11-20", "2025-12-03"),
    ],
)
def test_a_range_is_read_whole(text: str, first: str, last: str) -> None:
    assert [days for _, *days in read(text)] == [[first, last]]


@pytest.mark.parametrize(
    "text",
    [
        "I finished school last year, on May 3 I start work.",
        "I graduated last year, May 3 is my first day.",
        "Not next year, May 3 is the day.",
    ],
)
def test_a_year_of_another_clause_is_not_the_day_s(text: str) -> None:
    assert read(text)[-1][:2] == ("May 3", "2026-05-03")


def test_a_year_that_is_told_by_how_far_away_it_is_means_nothing_without_the_day_of_saying() -> None:
    found = mentions("3 May last year, 3 May '87, July 4, 1776", None)
    assert [(str(each.day), each.relative) for each in found] == [
        ("None", True),
        ("None", False),
        ("1776-07-04", False),
    ]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("La boda es el 20 de diciembre.", "None"),
        ("Wir fahren am 20. Dezember.", "None"),
        ("Die Frist endet am 3. Dezember.", "None"),
        ("Er hat am 20. Dezember seinen ersten Arbeitstag.", "None"),
        ("Die Hochzeit ist am 20. Dezember geplant.", "None"),
        ("Der Termin wurde auf den 3. Dezember verschoben.", "None"),
        ("Ich war krank, am 20. Dezember fahren wir.", "None"),
        ("On a réservé pour le 3 décembre.", "None"),
        ("La fête a lieu le 20 décembre.", "None"),
        ("Le 20 décembre nous sommes à Paris.", "None"),
        ("Vamos a Madrid el 20 de diciembre.", "None"),
        ("Vou a Paris em 20 de dezembro.", "None"),
        ("Il 20 dicembre ci sono molti ospiti.", "None"),
        ("Ho molto da fare il 20 dicembre.", "None"),
        # Its sentence tells of the past.
        ("Wir haben am 12. Oktober geheiratet.", "2025-10-12"),
        ("Ich war am 3. November beim Arzt.", "2025-11-03"),
        ("Am 3. Dezember sind wir umgezogen.", "2025-12-03"),
        ("J'ai déménagé le 3 décembre.", "2025-12-03"),
        ("Le 3 décembre, elle est née.", "2025-12-03"),
        ("Nous nous sommes mariés le 3 décembre.", "2025-12-03"),
        ("Nos casamos el 12 de octubre.", "2025-10-12"),
        ("Fui al médico el 3 de noviembre.", "2025-11-03"),
        ("Mi sono sposato il 20 settembre.", "2025-09-20"),
        ("Fui ao médico em 3 de novembro.", "2025-11-03"),
        # Near by, ahead, or with its weekday it is known.
        ("Le 2 février la chaudière est tombée en panne.", "2026-02-02"),
        ("Das Konzert ist am 21. Juni.", "2026-06-21"),
        ("Wir fahren am Sonntag, 20. Dezember.", "2026-12-20"),
    ],
)
def test_far_behind_a_day_abroad_is_known_only_if_its_sentence_tells_of_the_past(
    text: str, first: str
) -> None:
    assert [day for _, day, _ in read(text)] == [first]


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("Le dentiste, c'est mar. 6 mai.", "6 mai"),
        ("El mar. 6 de mayo voy al dentista.", "6 de mayo"),
        ("Dal dentista mar 6 maggio.", "6 maggio"),
        ("Mar 6 may be fine.", "Mar 6"),
        ("Mar 6 April 7", "Mar 6"),
        ("March 5 mars rover landed.", "March 5"),
        ("On June 2 avril lavigne plays.", "June 2"),
        ("On March 14 Mai called me.", "March 14"),
    ],
)
def test_before_a_day_of_a_month_abroad_stands_no_month(text: str, literal: str) -> None:
    assert read(text)[0][0] == literal


@pytest.mark.parametrize(
    "text",
    [
        "J'habite rue du 8 mai 1945.",
        "Vivo en la calle 25 de Mayo.",
        "Ich wohne in der Straße des 17. Juni.",
        "Abito in Via 25 Aprile.",
    ],
)
def test_a_street_is_of_no_day(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "rue de Paris le 8 mai",
        "en la calle el 25 de mayo",
        "via 25 May",
    ],
)
def test_beside_a_street_a_day_is_a_day(text: str) -> None:
    assert len(read(text)) == 1


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Gig: Thursday 11 February, row 3", "2027-02-11"),
        ("The race is on 15 February (Monday).", "2027-02-15"),
        ("2月14日（星期日）比赛", "2027-02-14"),
        ("Sonntag, 14. Februar ist der Lauf.", "2027-02-14"),
        ("We married on Friday 23 May.", "2025-05-23"),
        # Far away it tells unless the tense is past, and "sat" beside a date is no verb.
        ("only sat 3 october is free tho", "2026-10-03"),
        ("We chose saturday 3 october for the wedding.", "2026-10-03"),
        ("The dentist gave me saturday 3 october.", "2026-10-03"),
        ("She found Sunday 4 October.", "2025-10-04"),
        ("I was born on Sunday 4 October.", "2025-10-04"),
        ("Saturday 4 October", "2025-10-04"),
        # It fits the nearest, no other year, or only one that has been and is not told of.
        ("Meeting Saturday 14 February", "2026-02-14"),
        ("Meeting Wednesday 15 April", "2026-04-15"),
        ("Write on Monday, April 14.", "2026-04-14"),
        ("We talk on Friday. The race is 14 February.", "2026-02-14"),
    ],
)
def test_the_weekday_beside_a_date_tells_its_year(text: str, first: str) -> None:
    assert [day for _, day, _ in read(text) if day != "None"][-1] == first


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Remind me in January to order the boxes.", "2027-01-01"),
        ("Can you remind me to renew it in December?", "2026-12-01"),
        ("Please don't let me forget the cards in February.", "2027-02-01"),
        ("Remind me in March to pay.", "2026-03-01"),
        ("提醒我2月5日打电话", "2027-02-05"),
        ("Remind me what I said in January.", "2026-01-01"),
        ("Remind me of the trip in January.", "2026-01-01"),
        ("He had to remind me in January.", "2026-01-01"),
    ],
)
def test_what_one_is_to_be_reminded_of_lies_ahead(text: str, first: str) -> None:
    assert read(text)[0][1] == first


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("fifteen days ago", "2026-02-24"),
        ("twenty-five days from now", "2026-04-05"),
        ("a fortnight ago", "2026-02-25"),
        ("back in a fortnight", "2026-03-25"),
        ("二十天前", "2026-02-19"),
        ("三十五天之后", "2026-04-15"),
        ("Friday next week", "2026-03-20"),
        ("by Friday next week", "2026-03-20"),
        ("on Monday last week", "2026-03-02"),
        ("next week on Friday", "2026-03-20"),
        ("last May", "2025-05-01"),
        ("last March", "2025-03-01"),
        ("this April", "2026-04-01"),
        ("I paid on the 5th.", "2026-03-05"),
        ("I paid on the 22nd.", "2026-02-22"),
        ("I will pay on the 5th.", "2026-04-05"),
        ("I will pay on the 22nd.", "2026-03-22"),
        ("The electrician comes on the 22nd.", "2026-03-22"),
        # In two ways, or about so long ago.
        ("last January", "None"),
        ("this December 2", "2025-12-02"),
        ("the 22nd of nothing, on the 22nd.", "None"),
        ("In May I go to Rome. I will fly on the 22nd.", "2026-05-01"),
        ("half a year ago", "None"),
        ("two or three days ago", "None"),
        ("a year and two months ago", "None"),
        ("I finished it in two days.", "None"),
        ("I aim to finish 5 integrated examples in 3 days.", "2026-03-14"),
    ],
)
def test_amounts_and_days_are_read_whole(text: str, first: str) -> None:
    assert read(text)[0][1] == first


@pytest.mark.parametrize(
    ("text", "literals"),
    [
        ("我们下周一起去爬山。", ["下周"]),
        ("我们下周一起飞。", ["下周一"]),
        ("上周天气很热，下周日程很满。", ["上周", "下周"]),
        ("我以前天天跑步，下班后天黑了。", []),
        ("晚上月亮很圆，晚上周围很安静。", []),
        ("值班我周三请假了。", ["周三"]),
        ("这周值班：周一小方，周二我。", ["这周", "周一", "周二"]),
        ("排班：周一小方，周二我。周三我请假。", ["周三"]),
        ("值班结束，周一搬家，周四回来。", ["周一", "周四"]),
        ("课表改了，周二补课，周五考试。", ["周二", "周五"]),
        ("排班说好了，周五我去南京，周日回。", ["周五", "周日"]),
        ("每周三游泳，周六去爬山。", ["周六"]),
        ("这说明天气不好。", []),
        ("明天气温下降，大后天回暖。", ["明天", "大后天"]),
        ("My favourite song is Yesterday by the Beatles.", []),
        ("I read USA Today. Yesterday I watched The Day After Tomorrow.", ["Yesterday"]),
        ("In 2015 I graduated, and the next year I moved.", []),
        ("Over the past year I led a team, and next year I stop.", ["next year"]),
        ("I am away the coming week.", ["coming week"]),
    ],
)
def test_words_are_cut_right_and_titles_and_stories_name_no_day(text: str, literals: list[str]) -> None:
    assert [literal for literal, *_ in read(text)] == literals


@pytest.mark.parametrize("text", ["We met on 03/04/2024.", "due 3/4", "The fair is on February 30, 2026."])
def test_what_can_be_read_in_two_ways_or_in_none_stays_unresolved(text: str) -> None:
    assert [(first, last) for _, first, last in read(text)] == [("None", "None")]


@pytest.mark.parametrize(
    "text",
    [
        "I scored 12/20, then 17/20.",
        "open 24/7",
        "version 2.3.15 of 10.0.0.1",
        "You may do 5 of them, or march 40%.",
        "每个月3个版本，第1周的计划",
        "两三天前，十几天前，二百五十天前，3-5天后",
        "3 月版本卖了 12 月饼，4 月 20 人",
        "第 3 天后，3 到 5 天后，3 - 5 天后",
        "做过 3 年前端，2年后端",
        "每周三开会，每周一到周五上班，每个周五、周六打球，逢周二休息",
        "值班表：周一到周三小方，周四我，周末老何。",
        "早班轮值，星期一我，星期二和星期四小方",
        "下面是课表：周一数学，周三语文",
        "值班表 周一小方 周四我",
        "2024年前，第三天后",
        "We live on the 2nd floor, twice a week on Friday.",
        "see pages 5-10/2",
    ],
)
def test_figures_that_look_like_dates_are_none(text: str) -> None:
    assert read(text) == []


def test_without_a_day_of_saying_a_relative_date_is_found_and_not_resolved() -> None:
    assert read("The party is tomorrow, the exam on 2026-05-20, the trip on May 3.", None) == [
        ("tomorrow", "None", "None"),
        ("2026-05-20", "2026-05-20", "2026-05-20"),
        ("May 3", "None", "None"),
    ]
    assert [each.relative for each in mentions("tomorrow and May 3", None)] == [True, False]


def test_the_ends_of_a_range_are_also_found_one_by_one() -> None:
    assert [each.literal for each in mentions("from March 29 to April 12", SAID)] == ["March 29", "April 12"]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("The pool is shut from 1 June to 30 September.", "2026-06-01", "2026-09-30"),
        ("Term: 4 April - 12 July", "2026-04-04", "2026-07-12"),
        ("3月5日至6月9日在北京", "2026-03-05", "2026-06-09"),
        ("Betriebsferien vom 3. Juni bis zum 14. September.", "2026-06-03", "2026-09-14"),
        # The second end without a year follows the first.
        ("His season runs from 29 March to 27 October.", "2026-03-29", "2026-10-27"),
        ("It is on from May 1 to November 30.", "2026-05-01", "2026-11-30"),
        ("Visa from 10 May 2024 to 20 March", "2024-05-10", "2025-03-20"),
        # Both days share the month behind them.
        ("Vom 19. bis 31. August ist zu.", "2026-08-19", "2026-08-31"),
        ("Urlaub vom 3. bis zum 17. September 2025", "2025-09-03", "2025-09-17"),
        ("Die Messe ist am 5. und 6. April.", "2026-04-05", "2026-04-06"),
        ("We're away from the 3rd to the 17th of May.", "2026-05-03", "2026-05-17"),
        ("Closed 3rd to 17th May", "2026-05-03", "2026-05-17"),
        ("We are closed 19-31 August.", "2026-08-19", "2026-08-31"),
        ("The fair (12–14 July 2025) was fun.", "2025-07-12", "2025-07-14"),
        ("I move between 5 and 9 May.", "2026-05-05", "2026-05-09"),
        ("I'm away from May 3 to the 14th.", "2026-05-03", "2026-05-14"),
        ("field trip to whitby 17 to 19 oct", "2026-10-17", "2026-10-19"),
        ("They moved it to 17 to 19 April.", "2026-04-17", "2026-04-19"),
        ("We are away on 17/18 april.", "2026-04-17", "2026-04-18"),
        ("We fly on 3/4 june to Rome.", "2026-06-03", "2026-06-04"),
        ("We fly (3/4 june) to Rome.", "2026-06-03", "2026-06-04"),
        ('It says "3/4 june".', "2026-06-03", "2026-06-04"),
        ("24/25 december at home", "2025-12-24", "2025-12-25"),
        ("the fair is 17/18 may at the park", "2026-05-17", "2026-05-18"),
        ("conference 17/18 may (berlin)", "2026-05-17", "2026-05-18"),
        ("7/8 may we are in rome", "2026-05-07", "2026-05-08"),
        ("i am off 3/4 march for the move", "2026-03-03", "2026-03-04"),
        ("it runs from 3 to 5 may in leeds", "2026-05-03", "2026-05-05"),
        ("the fair is 3 to 5 may", "2026-05-03", "2026-05-05"),
        # Two days, or a number of something else.
        ("Chapter 3 to 5 May", "2026-05-05", "2026-05-05"),
        ("We moved phase 2 to 14 May.", "2026-05-14", "2026-05-14"),
        ("Session 2 - 14 May: planning", "2026-05-14", "2026-05-14"),
        ("1 - 14 May: planning\n", "2026-05-14", "2026-05-14"),
        ("I paid 5 and 6 May is the party.", "2026-05-06", "2026-05-06"),
        ("open 9:00 to 17 May", "2026-05-17", "2026-05-17"),
    ],
)
def test_a_range_ends_where_its_second_day_is(text: str, first: str, last: str) -> None:
    assert [days for _, *days in read(text)] == [[first, last]]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("I sleep on a sofa until end of october", "2026-10-31", "2026-10-31"),
        ("Hand it in by the end of May 2027.", "2027-05-31", "2027-05-31"),
        ("We fly at the end of May.", "2026-05-21", "2026-05-31"),
        ("They flower in late May.", "2026-05-21", "2026-05-31"),
        ("We start at the beginning of july.", "2026-07-01", "2026-07-10"),
        ("ready by mid-May", "2026-05-11", "2026-05-20"),
        ("ready mid may 2026", "2026-05-11", "2026-05-20"),
        ("35 an hour from june", "2026-06-01", "2026-06-30"),
        ("no lessons till february", "2026-02-01", "2026-02-28"),
        ("I pay from may, she from march.", "2026-05-01", "2026-05-31"),
    ],
)
def test_a_month_stands_alone_behind_some_words_and_may_be_a_part_of_it(
    text: str, first: str, last: str
) -> None:
    assert read(text)[0][1:] == (first, last)


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("We want to be done by the end of November.", "2026-11-30"),
        ("My goal is to save 900 by October.", "2026-10-31"),
        ("How can I get fit by October?", "2026-10-31"),
        ("On track to finish by the end of October.", "2026-10-31"),
        ("Our target is mid-November.", "2026-11-20"),
        ("We will launch in early November.", "2026-11-10"),
        ("We had launched in early November.", "2025-11-10"),
        ("I finished it by the end of October.", "2025-10-31"),
        ("The rate rose in October.", "2025-10-31"),
        ("I had hoped to finish by November.", "2025-11-30"),
    ],
)
def test_what_is_to_be_done_by_a_month_lies_ahead(text: str, last: str) -> None:
    assert [day for *_, day in read(text)] == [last]


@pytest.mark.parametrize(
    ("text", "said", "days"),
    [
        ("We camped there last summer.", "2023-10-13", "2023-06-01 2023-08-31"),
        ("We camped there last summer.", "2023-07-13", "2022-06-01 2022-08-31"),
        ("I skied a lot last winter.", "2023-10-13", "2022-12-01 2023-02-28"),
        ("We will move this autumn.", "2023-07-13", "2023-09-01 2023-11-30"),
        ("It was hot this summer!", "2023-10-13", "2023-06-01 2023-08-31"),
        ("Any trips this summer?", "2023-07-13", "2023-06-01 2023-08-31"),
        ("We marry next summer.", "2023-10-13", "2024-06-01 2024-08-31"),
        ("I saw her a few days ago.", "2023-10-13", "2023-10-08 2023-10-11"),
        ("I saw her a few weeks ago.", "2023-10-13", "2023-09-08 2023-09-29"),
        ("I saw her a few months ago.", "2023-10-13", "2023-05-01 2023-08-31"),
        ("I saw her a few years ago.", "2023-10-13", "2018-01-01 2021-12-31"),
        # It may be either, or is none.
        ("We marry next summer.", "2023-03-13", ""),
        ("We will move this summer.", "2023-10-13", ""),
        ("I love this summer dress.", "2023-10-13", ""),
        ("I broke my hip in my last fall.", "2023-10-13", ""),
        ("Quite a few years ago", "2023-10-13", ""),
        ("I saw her the other day.", "2023-10-13", ""),
    ],
)
def test_what_is_told_roughly_is_the_range_it_may_lie_in(text: str, said: str, days: str) -> None:
    found = read(text, date.fromisoformat(said))
    assert [f"{first} {last}" for _, first, last in found] == ([days] if days else [])


def test_a_season_at_the_ends_of_the_calendar_is_none() -> None:
    assert read("this winter, last spring, next winter", date.max) == [
        ("last spring", "9999-03-01", "9999-05-31")
    ]
    assert read("a few years ago, last winter", date.min) == [("a few years ago", "None", "None")]


@pytest.mark.parametrize(
    "text",
    [
        "2 to 3 may work better",
        "shifts from 9 to 5 may suit me",
        "from 10 to 12 may I use the kitchen?",
        "about 5 to 10 march past each morning",
        "I scored 17/20 mar and 3/4 may pass.",
        "songs from June Carter",
        "until may I borrow it",
    ],
)
def test_verbs_names_and_fractions_are_no_months(text: str) -> None:
    assert read(text) == []


def test_the_ends_of_a_range_are_of_its_years_one_by_one_too() -> None:
    found = mentions("His season runs from 29 March to 27 October.", date(2024, 3, 28))
    assert [str(each.day) for each in found] == ["2024-03-29", "2024-10-27"]
    moved = mentions("They moved it from 20 June to 5 June.", SAID)
    assert [str(each.day) for each in moved] == ["2026-06-20", "2026-06-05"]


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Dentist April 6 and 9, then rest.", "04-06 04-09"),
        ("Our matches are on April 3, 5, 7, and 9 in Rome.", "04-03 04-05 04-07 04-09"),
        ("Free on April 22 or 23, after lunch", "04-22 04-23"),
        ("Physio on March 12th and 19th, 2026", "03-12 03-19"),
        ("Exams on 5 and 20 May", "05-05 05-20"),
        ("Prüfungen am 5. und 20. Mai", "05-05 05-20"),
        ("the 5th and 20th of May", "05-05 05-20"),
        ("4月6日和9日开会", "04-06 04-09"),
        ("4 月 6 日、9 日和 12 日开会", "04-06 04-09 04-12"),
        # Numbers of something else, or out of order.
        ("I ran on April 6 and 9 people came.", "04-06"),
        ("I paid on April 6 and 9 in May.", "04-06 05-01"),
        ("Out on April 6 and 9:30 is late.", "04-06"),
        ("Two on April 6 and 9.5 later", "04-06"),
        ("We sold 3 on May 5 and 12 on May 6.", "05-05 05-06"),
        ("April 28 and 3 are the days", "04-28"),
        ("April 6 and 9 May", "04-06 05-09"),
    ],
)
def test_days_that_share_a_month_are_found_one_by_one(text: str, days: str) -> None:
    assert [first.removeprefix("2026-") for _, first, _ in read(text)] == days.split()


@pytest.mark.parametrize(
    ("text", "last"), [("April 5 and 6 are off", "2026-04-06"), ("between April 5 and 9", "2026-04-09")]
)
def test_days_that_are_one_time_are_found_together(text: str, last: str) -> None:
    assert [days for _, *days in read(text)] == [["2026-04-05", last]]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("The fair is this coming Wednesday.", "2026-03-18"),
        ("We talk this coming Tuesday.", "2026-03-17"),
        ("I saw her this past Friday.", "2026-03-06"),
        ("I started it this Tuesday.", "2026-03-10"),
        ("I have physio this Tuesday.", "2026-03-17"),
        ("Dentist this Monday at 3.", "None"),
        ("Dentist this Friday at 3.", "2026-03-13"),
        ("See you on Friday week.", "2026-03-20"),
        ("On Friday week 3 starts.", "2026-03-13"),
        ("We went hiking over the weekend.", "2026-03-07"),
        ("We will hike on the weekend.", "2026-03-14"),
    ],
)
def test_a_weekday_is_that_of_this_week_the_last_or_the_next(text: str, first: str) -> None:
    assert [day for _, day, _ in read(text)] == [first]


@pytest.mark.parametrize(
    "text", ["the next to last Friday", "next to last week", "I work on the weekend.", "Rent for the weekend"]
)
def test_no_day_is_told_where_the_words_name_none(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "We deploy with API version 2024-03-20.",
        'AWSTemplateFormatVersion: "2010-09-09"',
        "see /list?api-version=2024-02-01 and org/app:2024-03-20",
        "Open 2024-03-20.log or 2024-03-20-preview",
        "It lies in 2024/03/20/index.html",
        "node:18-2024-03-20, v2024.03.20 and logs/2024/03/20/",
    ],
)
def test_versions_and_files_are_of_no_day(text: str) -> None:
    assert {first for _, first, _ in read(text)} <= {"None"}


@pytest.mark.parametrize(
    "text", ["Version 3 is due 2024-03-20.", "Deadline:2024-03-20", "Done on 2024-03-20. Then rest."]
)
def test_beside_a_version_or_a_mark_a_day_is_a_day(text: str) -> None:
    assert [first for _, first, _ in read(text)] == ["2024-03-20"]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        # Of a Wednesday, 11 March 2026.
        ("聚餐改到19号", "2026-03-19", "2026-03-19"),
        ("牙医那边约在5号", "2026-04-05", "2026-04-05"),
        ("客户说16号来厂里", "2026-03-16", "2026-03-16"),
        ("14号去不了了", "2026-03-14", "2026-03-14"),
        ("25号我看了那场球", "2026-02-25", "2026-02-25"),
        ("4号我看了那场球", "2026-03-04", "2026-03-04"),
        ("13号到15号出差", "2026-03-13", "2026-03-15"),
        ("13号、27号值班", "2026-03-13", "2026-03-13"),
        ("4月3号开庭，17号宣判", "2026-04-03", "2026-04-03"),
        ("房租月底前交", "2026-03-21", "2026-03-31"),
        ("他月底回国", "2026-03-21", "2026-03-31"),
        ("合同到4月底", "2026-04-21", "2026-04-30"),
        ("5月初开工", "2026-05-01", "2026-05-10"),
        ("工资从4月开始涨", "2026-04-01", "2026-04-30"),
        ("8月再去体检", "2026-08-01", "2026-08-31"),
        ("二月那次摔得不轻", "2026-02-01", "2026-02-28"),
        ("清明回乡下", "2026-04-04", "2026-04-06"),
        ("五一打算去爬山", "2026-05-01", "2026-05-05"),
        ("去年国庆在家", "2025-10-01", "2025-10-07"),
        ("元旦我们吃了火锅", "2026-01-01", "2026-01-01"),
    ],
)
def test_a_day_without_its_month_is_the_one_that_is_meant(text: str, first: str, last: str) -> None:
    assert read(text)[0][1:] == (first, last)


@pytest.mark.parametrize(
    "text",
    [
        # Numbers of other things.
        "坐3号线到12号楼，中山路18号，住22号房",
        "15号选手穿24号球衣，换5号电池，加0号柴油",
        # What comes again, what is asked, what may be of either month.
        "每月15号发工资，每个月的20号还贷",
        "16号有空吗？",
        "5号就到期了",
        "20号买的",
        "每年7月再去",
        # Neither days nor months: figures that go on, what is counted, names.
        "7月93000 8月88500",
        "2月30万，3月5.2万，4月15%",
        "干了3个月底子还薄",
        "六一班的王国庆走五一路，神志清明的样子像清明上河图",
        "圣诞",
    ],
)
def test_what_is_numbered_repeated_or_unsure_is_of_no_day(text: str) -> None:
    assert {first for _, first, _ in read(text)} <= {"None"}


@pytest.mark.parametrize("end", ["March 5 - 3 PM", "March 5 - 12 weeks", "March 5-10%", "March 5 - 10:30"])
def test_a_number_after_a_day_is_not_always_a_second_day(end: str) -> None:
    assert read(end)[0][1:] == ("2026-03-05", "2026-03-05")


def test_a_date_far_into_a_long_text_stands_where_it_says() -> None:
    text = "İ" + "nothing of the kind. " * 500 + "It ends on April 2, 2027 at the latest."
    (each,) = mentions(text, SAID)
    assert text[each.start : each.end] == each.literal == "April 2, 2027"
    (plain,) = mentions(text[1:], SAID)
    assert (plain.first, plain.literal) == (each.first, each.literal)


@given(
    st.text(alphabet="0123456789/-. 年月日周上下个天後前 marchmyjundextQ1", max_size=60),
    st.none() | st.dates(),
)
def test_any_text_is_read_without_harm_and_in_order(text: str, said: date | None) -> None:
    for found in (mentions(text, said), ranges(text, said)):
        assert all(text[each.start : each.end] == each.literal for each in found)
        assert [each.start for each in found] == sorted(each.start for each in found)
        assert all(each.first <= each.last for each in found if each.first and each.last)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("The wedding is on 5 September.", "2026-09-05"),
        ("launch 12 sept", "2026-09-12"),
        ("5 september?", "2026-09-05"),
        ("12 oct works for me", "2026-10-12"),
        ("I'm excited for 5 september!!", "2026-09-05"),
        ("Let me know if 12 sept suits you.", "2026-09-12"),
        ("We picked 3 october for the party.", "2026-10-03"),
        ("We went with 12 sept in the end.", "2026-09-12"),
        ("My birthday is 3 november.", "2026-11-03"),
        # Its sentence looks back, or it is of a thing, a report, or a range that may be under way.
        ("The tickets dated 12 sept are void.", "2025-09-12"),
        ("The photos from 5 october", "2025-10-05"),
        ("Sales in october: 4300", "2025-10-01"),
        ("He died 3 november.", "2025-11-03"),
        ("The rate rose in November.", "2025-11-01"),
        ("I quit smoking in september.", "2025-09-01"),
        ("I've had this cough since november.", "2025-11-01"),
        ("The festival, 5 november, was loud.", "2025-11-05"),
        ("HbA1c 7.1 (12 sept)", "2025-09-12"),
        ("weight on 5 november: 82 kg", "2025-11-05"),
        ("Invoice date is 12 sept", "2025-09-12"),
        ("remember the argument on 12 sept?", "2025-09-12"),
        ("churn in october is 4%", "2025-10-01"),
        ("We picked berries on 3 october.", "2025-10-03"),
        ("- 2 oct to 9 oct: drafts", "2025-10-02"),
    ],
)
def test_what_is_told_without_a_past_lies_ahead(text: str, first: str) -> None:
    assert [day for _, day, _ in read(text)] == [first]


@pytest.mark.parametrize(
    ("text", "literal", "first"),
    [
        # A weekday with its number is the near day that is both.
        ("say thursday 26th", "thursday 26th", "2026-03-26"),
        ("Monday the 16th works", "Monday the 16th", "2026-03-16"),
        ("I booked a table on sat 14th at 5pm", "on sat 14th", "2026-03-14"),
        ("Friday the 6th was a mess.", "Friday the 6th", "2026-03-06"),
        ("moving Tue, the 31st", "Tue, the 31st", "2026-03-31"),
        ("Friday 27th of March", "27th of March", "2026-03-27"),
        # A day with a number alone, to the end of its clause.
        ("rent is due on the 6th", "on the 6th", "2026-04-06"),
        ("no deliveries on the 17th, they are shut", "on the 17th", "2026-03-17"),
        ("no heating till the 21st", "till the 21st", "2026-03-21"),
        ("Pay it by the 3rd.", "by the 3rd", "2026-04-03"),
        ("6 june to Faro, back on the 16th", "on the 16th", "2026-06-16"),
        ("Faro 16 june, back on the 6th", "on the 6th", "None"),
        ("She promised that on the 6th.", "on the 6th", "None"),
        # Short weekdays and weekdays without a word before them.
        ("I saw the vet on thurs.", "on thurs", "2026-03-05"),
        ("next tues at 5", "next tues", "2026-03-17"),
        ("I'll ship it thursday", "thursday", "2026-03-12"),
        ("new tablets, started saturday", "saturday", "2026-03-07"),
        ("The shop went live monday, 40 people looked.", "monday", "2026-03-09"),
        ("The exam was tuesday.", "tuesday", "2026-03-10"),
        ("call mum sunday evening", "sunday", "2026-03-15"),
        # May in lower case.
        ("we close in may", "may", "2026-05-01"),
        ("out by end of may. panic", "may", "2026-05-31"),
        ("in may we move", "may", "2026-05-01"),
    ],
)
def test_dates_are_read_as_people_type_them(text: str, literal: str, first: str) -> None:
    assert [each[:2] for each in read(text)][-1] == (literal, first)


@pytest.mark.parametrize(
    "text",
    [
        "he sat 20th in the list",
        "We watched Friday the 13th.",
        "by the 3rd attempt",
        "the applause on the 2nd night",
        "based on sun damage",
        "the last sat down",
        "Black Friday",
        "it's friday",
        "Ruby Tuesday",
        "We are closed sunday.",
        "Monday to Friday, 9 to 5",
        "our tech-free Sunday, without phones",
        "I swim every monday.",
        "the monday meeting",
        "3 hours Saturday morning",
        "the state it's in may worry you",
        "one of may favourites",
    ],
)
def test_words_beside_weekdays_and_numbers_make_no_day(text: str) -> None:
    assert read(text) == []
