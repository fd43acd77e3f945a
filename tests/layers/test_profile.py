"""The profile: what a sentence says of the one who speaks, what holds of it, and what it took the place of."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal
from unicodedata import normalize

import pyarrow as pa
import pytest

import memfold
from memfold.layers.layer import Span
from memfold.layers.profile import en
from memfold.layers.profile.asked import asked_for
from memfold.layers.profile.en import diets, home, matching, names, tastes, tongues, work
from memfold.layers.profile.en.capitals import NAME
from memfold.layers.profile.history import Entry, Evidence, history
from memfold.layers.profile.history import Profile as Told
from memfold.layers.profile.history import _same as same
from memfold.layers.profile.layer import Profile, claimed, tells
from memfold.layers.replaced import mark
from memfold.schema import EXTRACTIONS, NOTES, StoredMessage
from memfold.text.pasted import own_words
from support.given import indexed, said
from support.retrieve_samples import message, stored

Form = Literal["NFC", "NFD"]

NOTHING = [
    "For Tom and me, I'm Irish after all.",
    "It is for you and me, I'm sure.",
    "My old address was 4 Oak Lane",
    "My email address is 12 Foo",
    "the new address of the office is 12 Elm Street",
    "Her address is 12 Elm Street",
    "Should I study law?",
    "When I study physics I fall asleep.",
    "I'm studying chemistry for the exam.",
    "I study history books a lot.",
    "My sister studies law in Leeds.",
    "I want to study law.",
    "我是高中生，今年高二。",
    "我是周末才有空。",
    "我是王牌，",
    "你好，我是马来人，想问签证。",
    "我妈今年58了。",
    "我女儿叫乐乐，今年12了。",
    "我是来给孩子问的，今年12。",
    "我是昨天到的，住在三亚。",
    "我今年去云南，住在大理。",
    "他叫刘强，住在苏州。",
    "我在做设计。",
    "I'm Chinese 周末愉快",
    "我在上海做测试的时候很累。",
    "叫我起床就行。",
    "叫我一声就好。",
    "叫我早点就行。",
    "叫我后天就行。",
    "叫我值班就好。",
    "叫我三声就行。",
    "我是周先生的店员，找人做客服",
    "我是老板，店员是学生",
    "我是顾客，想找店长",
    "我本来在苏州做设计。",
    "大家好，我是董事。",
    "你好，我是郑州。",
    "我是邹城，",
    "我是孙女，",
    "我叫妈妈，她没听见。",
    "我叫老板，他没听见。",
    "我叫姐姐，一起走。",
    "假如 我叫周岚",
    "我妈说 我住在南京",
    "平时我不吃。",
    "这种东西我也不吃。",
    "早饭我不吃。",
    "我家猫很挑。还有鱼也不吃。",
    "还有胡萝卜也不吃。",
    "英文邮件我都用英文回复。",
    "我不吃我妈做的。",
    "我过18岁生日那天，爸爸送了我一块表。",
    "我过了60岁就退休。",
    "I switched jobs and I'm with Anna on nights now.",
    "I have a new job and I'm at Lisbon this week.",
    "I'm hungry.",
    "I'm a bit tired.",
    "My name is on the list.",
    "my name is missing.",
    "I live in fear.",
    "i live in denial.",
    "I live in the moment.",
    "I live in Excel all day.",
    "I'm Done.",
    "I'm Sorry, I meant Tuesday.",
    "I'm German, and I'm proud of it.",
    "I'm a morning person.",
    "I'm a beginner.",
    "I'm a role model.",
    "I'm a huge fan of yours.",
    "I'm 90% sure.",
    "I'm 15 minutes late.",
    "I'm 12, maybe 13 lines in.",
    "When I'm 64, I'll rest.",
    "I feel like I'm 20.",
    "My brother is 30 years old.",
    "If I live in Paris, do I pay tax?",
    "Do I live in Paris?",
    "Imagine I'm 30 and living in Rome.",
    "She said I'm a nurse.",
    "How do I say \"I live in Paris\" in French?",
    "I used to live in Rome.",
    "I'm moving to Paris next year.",
    "I moved to React last month.",
    "I'm from HR.",
    "I'm going to be a doctor.",
    "As a user, I want to log in.",
    "As a manager, I want to see reports, so that I can plan.",
    "Act as if you are a doctor.",
    "Call me when you can.",
    "Don't call me Bob.",
    "I love it.",
    "I like your idea.",
    "Something I love is awesome.",
    "When might I prefer to use them?",
    "我叫了外卖。",
    "Then I can go back to English class.",
    "In May I can go back to English.",
    "Can you say that in English again?",
    "我叫车去机场。",
    "他叫我去开会。",
    "我住在恐惧中。",
    "我住在 朋友家 附近",
    "她说 我住在罗马",
    "我 住在 一个 小镇",
    "我住在三楼。",
    "合租我住不来。",
    "我住得离公司很近。",
    "我现在住着还不错。",
    "老房子我住够了。",
    "我住过苏州。",
    "我住了八年。",
    "我家住在不远的地方。",
    "如果我30岁。",
    "我30岁的时候去了巴黎。",
    "我儿子今年30岁。",
    "我是10岁孩子的妈妈。",
    "我是一个10岁的孩子的妈妈。",
    "我是先生。",
    "我是病人。",
    "我是你的老师。",
    "我喜欢你。",
    "我家在一个小城市。",
    # What stands behind a colon is shown, titled or said by others.
    "She said: I live in Rome.",
    "Dialogue: I live in Rome.",
    "**Dialogue:** I live in Rome.",
    "Example: my name is Bob.",
    "Prompt: I live in Rome.",
    "I need a caption: I live in Rome.",
    "I wrote to my boss: I live in Rome.",
    "I moved the text: I live in Rome.",
    "My sister sent an update: I live in Rome.",
    "'I live in Rome', it says.",
    "We moved from Paris to Rome.",
    "她说：我住在罗马。",
    "对话：我住在罗马。",
    "标题：我叫李伟。",
    "‘我住在罗马。’",
    "We've moved to Rome.",
    "Finally moved to Rome!",
    "We live in Slack.",
    "I'm head of household for tax purposes.",
    "I lost my job as a banker yesterday.",
    "I live in St.",
    "我不住在柏林了，现在在出差。",
    "My favourite film is Dr. No.",
    # Typed without capitals and apostrophes; and "im" of other languages.
    "im 20 minutes late",
    "i'm 5 km away",
    "im vegetarian tonight lol",
    "im a nurse in the game",
    "im the worst nurse ever",
    "im at work",
    "im done",
    "i am fine",
    "im from the future lol",
    "I'm into my second hour here.",
    "I left Anna a note.",
    "I joined Toastmasters as a speaker.",
    "I joined Acme as a welder in 2010.",
    "I was hired by Acme as a welder until last year.",
    "I joined Discord last week.",
    "I started at Level 5.",
    "I work in London.",
    "I used to work in marketing.",
    "I run a small script every day.",
    "I run a small bakery in the game I play.",
    "I want to run a small business.",
    "I'm looking for a developer at Acme.",
    "I've been a nurse for 12 years, but now I teach.",
    "I've been a fan for years.",
    "I've been at Heathrow for three hours.",
    "I've been waiting for Anna for three years.",
    "I've lived in Rome for 3 years but left.",
    "I've lived in Rome and Oslo.",
    "I live near the sea.",
    "As a 10-year-old I loved trains.",
    "My son, as a 10-year-old I think.",
    "I just moved to Canada in my novel.",
    "I recently moved to Lyon for a week.",
    "i work at night",
    "i work for free",
    "I work at the London office.",
    "My new role as a parent is hard.",
    "Wait no, Lisbon.",
    "I hate myself.",
    "I love Chapter 3, it's well written.",
    "I can't have kids.",
    "I avoid conflict.",
    "I avoid meat at work.",
    "Rowing is one of my favourite hobbies.",
    "She said Emma is my favourite book.",
    "I'm vegan-ish.",
    "I work in a bank and my wife works as a teacher.",
    "I work with people as a rule.",
    "I got an offer from Acme but declined.",
    "I got a job at Leo's in 2010.",
    "I love the Settings page.",
    "I'm 34 m away.",
    "For the sake of argument I'm a vegan.",
    "what's the German for I live in Vienna",
    "How would you say I live in Vienna?",
    "I'm passionate about making a quiet, warm place.",
    "I'm passionate about the way people learn.",
    "I like option B, it is short.",
    "I like the button, but the colour is off.",
    "I prefer version 2 since it is shorter.",
    "In this case I prefer a merge.",
    "For this soup, I prefer leeks to onions.",
    "The second one is my favourite.",
    "Is Emma my favourite book?",
    "Which of them is my favourite book?",
    "This is my favourite book.",
    "My sister is my favourite person.",
    "If Emma is my favourite book, what is next?",
    "I can't eat lunch today.",
    "I can't eat another bite, thanks.",
    "I never drink and drive.",
    "I've been vegan for a week.",
    "I went vegan for a month.",
    "I have a question about nut allergies.",
    "I have bad allergies.",
    "I don't have a nut allergy.",
    "im sure, a student said so",
    "im broke, a student from leeds",
    "im skinny, 30, and need advice",
    "i am lonely, 70 and deaf",
    "im studium, 23, allein",
    "if im 20 how much is it",
    "im allergic to mondays",
    "i study history for fun",
    "i study maths at night",
    "i moved to us",
    "Wo wohnst du? im 20, und du?",
    "Geburtstag im 20. Bezirk",
    "das ist im 20, oder",
    "Im 20. Bezirk",
    "im 7. bezirk in wien",
    "hallo. im 20? nein, im 21",
    "im Rathaus, a student said",
]  # fmt: skip


@pytest.mark.parametrize("text", NOTHING)
def test_what_says_nothing_of_who_speaks_gives_no_entry(text: str) -> None:
    rows = told([user(0, text)])
    assert rows.entries == ()


CRYSTAL = "I'm Crystal Wilson, a film producer based in East Port, Montserrat, and I need help."
SAYS = [
    ("My name is Anna.", "name", "Anna"),
    ("There's Tom, Ruth (nights) and me, I'm Nadia.", "name", "Nadia"),
    ("My new address is 17C Fenwick Road", "home", "17C Fenwick Road"),
    ("our address is 8 birch lane, same postcode", "home", "8 birch lane"),
    ("new address 17C Fenwick Road. must tell the bank", "home", "17C Fenwick Road"),
    ("We live at 3 Quay Street, Truro", "home", "3 Quay Street"),
    ("My address is Rosenweg 14", "home", "Rosenweg 14"),
    ("i study law in ghent", "job", "studies law in Ghent"),
    ("I'm studying computer science at Aston University.", "job", "studies computer science at Aston University"),
    ("I'm in my third year of an engineering degree", "job", "studies engineering"),
    ("I'm doing a master's in data science", "job", "studies data science"),
    ("I manage the support team at Lumen Energy in Bristol.", "employer", "Lumen Energy"),
    ("hi, my name is anna", "name", "Anna"),
    (CRYSTAL, "name", "Crystal Wilson"),
    (CRYSTAL, "job", "film producer"),
    (CRYSTAL, "home", "East Port, Montserrat"),
    ("I'm Craig, a 44-year-old technologist from Port Michael.", "age", "44"),
    ("I'm Craig, a 44-year-old technologist from Port Michael.", "from", "Port Michael"),
    ("I'm 28 and living in Rome, how do I start?", "home", "Rome"),
    ("I live in Paris, Anna lives in Rome.", "home", "Paris"),
    ("I live in a small flat in New York City with my dog.", "home", "New York City"),
    ("i live in berlin.", "home", "Berlin"),
    ("i live in otley", "home", "Otley"),
    ("im from leeds", "from", "Leeds"),
    ("ive just moved to a flat in berlin", "home", "Berlin"),
    ("im 20", "age", "20"),
    ("Im 20 btw", "age", "20"),
    ("hey. i’m 20, is that too late", "age", "20"),
    ("im a nurse", "job", "nurse"),
    ("i work as a nurse on ortho", "job", "nurse"),
    ("im noor, starting 2nd year geology in leeds.", "name", "Noor"),
    ("im noah, a student from cardiff", "name", "Noah"),
    ("my name is priya and i need help", "name", "Priya"),
    ("im vegetarian btw, well, i eat fish", "diet", "vegetarian"),
    ("im allergic to peanuts what can i eat", "allergy", "peanuts"),
    ("I'm allergic to nuts and don't eat meat", "allergy", "nuts"),
    ("im allergic to nuts and my son is vegan", "allergy", "nuts"),
    ("im allergic to nuts and shellfish", "allergy", "nuts and shellfish"),
    ("i dont eat meat", "diet", "does not eat meat"),
    ("I'm allergic to dust, pollen, and cats", "allergy", "dust, pollen, and cats"),
    ("I'm allergic to walnuts, sesame, soy.", "allergy", "walnuts, sesame, soy"),
    ("I'm allergic to walnuts, can you suggest a snack?", "allergy", "walnuts"),
    ("I'm allergic to walnuts, thanks and regards.", "allergy", "walnuts"),
    ("I have an allergy to wasp stings, so no picnic.", "allergy", "wasp stings"),
    ("I have a severe sesame allergy.", "allergy", "sesame"),
    ("I have a bad peanut allergy.", "allergy", "peanut"),
    ("I can't eat shellfish", "diet", "does not eat shellfish"),
    ("I can't drink milk because it makes me ill.", "diet", "does not drink milk"),
    ("I've been vegetarian for three years now.", "diet", "vegetarian"),
    ("I recently became vegan.", "diet", "vegan"),
    ("I follow a kosher diet.", "diet", "kosher"),
    ("I'm dairy free.", "diet", "dairy free"),
    ("My favourite films are Ran, Ikiru and High and Low.", "favourite films", "Ran, Ikiru and High and Low"),
    ("My favourite book is Sense and Sensibility.", "favourite book", "Sense and Sensibility"),
    ("My favourite food is rice and Bob likes beans.", "favourite food", "rice"),
    ("My favourite colour is green now.", "favourite colour", "green"),
    ("My favourite song is Right Now.", "favourite song", "Right Now"),
    ("The Hobbit is my favourite book.", "favourite book", "The Hobbit"),
    ("Yes, and rowing is still my favourite sport, by far!", "favourite sport", "rowing"),
    ("I love ramen so much", "likes", "ramen"),
    ("I like rowing too, lol", "likes", "rowing"),
    ("I love ramen but hate natto", "likes", "ramen"),
    ("I can't stand capers but I love olives", "dislikes", "capers"),
    ("I love ramen, the broth is so rich!", "likes", "ramen"),
    ("I love ramen because it warms me.", "likes", "ramen"),
    ("I enjoy rowing - it calms me.", "likes", "rowing"),
    ("I enjoy rowing, baking bread and long walks.", "likes", "rowing, baking bread and long walks"),
    ("I like tea, milk and sugar are not for me.", "likes", "tea"),
    ("I love the mountains.", "likes", "the mountains"),
    ("I'm really passionate about beekeeping", "likes", "beekeeping"),
    ("I'm into jazz.", "likes", "jazz"),
    ("I love working for a good cause.", "likes", "working for a good cause"),
    ("My favourite author is Ursula K. Le Guin.", "favourite author", "Ursula K. Le Guin"),
    ("My favourite author is J.R.R. Tolkien, by far.", "favourite author", "J.R.R. Tolkien"),
    ("My favourite juice is Multi C. It helps.", "favourite juice", "Multi C"),
    ("I work part-time as a nurse.", "job", "nurse"),
    ("I work full-time at Acme.", "employer", "Acme"),
    ("I can't have dairy, so no ice for me.", "diet", "does not eat dairy"),
    ("I avoid gluten and dairy.", "diet", "does not eat dairy"),
    ("Okay so I think chess is my favourite game, and yours?", "favourite game", "chess"),
    ("I prefer tea, milk makes me ill.", "prefers", "tea"),
    ("I prefer dark mode, tabs over spaces, and small screens.", "prefers",
     "dark mode, tabs over spaces, and small screens"),
    ("My hometown is in Ohio.", "from", "Ohio"),
    ("I'm not really into sports.", "dislikes", "sports"),
    ("I'm obsessed with chess.", "likes", "chess"),
    ("I'm a fan of the Rolling Stones.", "likes", "the Rolling Stones"),
    ("I like dogs more than cats.", "likes", "dogs"),
    ("Blue is my favourite colour and red my second.", "favourite colour", "Blue"),
    ("My name is J. K. Holm.", "name", "J. K. Holm"),
    ("I'm 29 y/o.", "age", "29"),
    ("I (34F) need advice.", "age", "34"),
    ("I grew up in Lagos, Nigeria but live in Cork.", "home", "Cork"),
    ("I work in a small clinic as a nurse.", "job", "nurse"),
    ("I work at Acme as an engineer.", "job", "engineer"),
    ("I've been working in marketing for 5 years.", "job", "marketing"),
    ("I just got a job at Acme.", "employer", "Acme"),
    ("I'm currently between jobs.", "job", "between jobs"),
    ("I'm a nurse and live in Cork.", "home", "Cork"),
    ("My name is Juan Carlos de la Vega.", "name", "Juan Carlos de la Vega"),
    ("My name is Maria van der Berg and I sing.", "name", "Maria van der Berg"),
    ("I'm from Cork, Ireland originally.", "from", "Cork, Ireland"),
    ("My hometown is Split.", "from", "Split"),
    ("i live in otley, uk", "home", "Otley, UK"),
    ("i live in otley, its nice", "home", "Otley"),
    ("I live in Cork, London is too dear.", "home", "Cork"),
    ("I live near Cork and commute.", "home", "near Cork"),
    ("I've lived in Cork since 2015.", "home", "Cork"),
    ("I've been living in Cork for three years.", "home", "Cork"),
    ("I just moved to Canada from India.", "home", "Canada"),
    ("I speak Hindi, Marathi and Malayalam", "language", "Malayalam"),
    ("As a 45-year-old woman, I feel tired.", "age", "45"),
    ("I'm nervous about my new role as a sound engineer at Blue Wave.", "employer", "Blue Wave"),
    ("I'm nervous about my new role as a sound engineer at Blue Wave.", "job", "sound engineer"),
    ("I work in public relations, by the way.", "job", "public relations"),
    ("I've been a welder for 12 years.", "job", "welder"),
    ("I've been a welder at Acme since 2010.", "employer", "Acme"),
    ("I've worked at Acme for three years.", "employer", "Acme"),
    ("I run a small bakery in Cork", "job", "runs a small bakery"),
    ("I'm CFO at Acme.", "job", "CFO"),
    ("I'm CFO at Acme.", "employer", "Acme"),
    ("I just got hired at Acme as a lab technician.", "job", "lab technician"),
    ("I just got hired at Acme as a lab technician.", "employer", "Acme"),
    ("I've just started working at Acme.", "employer", "Acme"),
    ("i work at acme", "employer", "Acme"),
    ("I work at the University of Leeds.", "employer", "the University of Leeds"),
    ("I work for the Bank of the West.", "employer", "the Bank of the West"),
    ("我对花生、牛奶和鸡蛋过敏。", "allergy", "花生、牛奶和鸡蛋"),
    ("我不吃牛肉、羊肉和海鲜。", "diet", "不吃海鲜"),
    ("我喜欢爬山、游泳和唱歌。", "likes", "爬山、游泳和唱歌"),
    ("I'm not a big fan of coriander.", "dislikes", "coriander"),
    ("I no longer enjoy chess.", "dislikes", "chess"),
    ("In the morning I prefer tea.", "prefers", "tea"),
    ("i cant stand mushrooms", "dislikes", "mushrooms"),
    ("i speak polish and english", "language", "English"),
    ("I'm 30 years old.", "age", "30"),
    ("I just turned 31.", "age", "31"),
    ("I recently got promoted to Senior Producer on May 1.", "job", "Senior Producer"),
    ("I work as a nurse at Mercy Hospital.", "employer", "Mercy Hospital"),
    ("I changed jobs, I'm at Google now.", "employer", "Google"),
    ("I got a new job and I am working for Acme Labs.", "employer", "Acme Labs"),
    ("As a paramedic, I need to know.", "job", "paramedic"),
    ('You can call me "Captain".', "address", "Captain"),
    ("Please answer in Chinese.", "answer language", "Chinese"),
    ("Answer in French.", "answer language", "French"),
    ("Answer in Ukrainian.", "answer language", "Ukrainian"),
    ("please reply in german", "answer language", "German"),
    ("you can answer in spanish now, fully.", "answer language", "Spanish"),
    ("I'm Katja, 41, vet by profession so I know zero about walls lol.", "age", "41"),
    ("I'm Katja, 41, vet by profession so I know zero about walls lol.", "job", "vet"),
    ("I'm Maria, 45, teacher at Lincoln High.", "employer", "Lincoln High"),
    ("I'm Tomasz btw, Kraków office", "name", "Tomasz"),
    ("Reply only in German, please.", "answer language", "German"),
    ("You can go back to English now.", "answer language", "English"),
    ("English again please.", "answer language", "English"),
    ("My native language is Polish.", "native language", "Polish"),
    ("My favourite colour is dark blue.", "favourite colour", "dark blue"),
    ("I'm lactose intolerant, so no milk.", "diet", "lactose intolerant"),
    ("I prefer simple, minimal dependencies, how do I start?", "prefers", "simple, minimal dependencies"),
    ("I prefer step-by-step explanations, so go slowly.", "wants answers", "step-by-step explanations"),
    ("I love live music.", "likes", "live music"),
    ("I live in St. Louis, Missouri.", "home", "St. Louis, Missouri"),
    ("I live in Washington, D.C. and commute.", "home", "Washington, D.C."),
    ("I live in the U.S.", "home", "the U.S."),
    ("I'm living in Springfield, Illinois, USA, with two cats.", "home", "Springfield, Illinois, USA"),
    ("I'm a Sr. engineer at Foo Inc. in Boston.", "job", "Sr. engineer"),
    ("I'm a Sr. engineer at Foo Inc. in Boston.", "employer", "Foo Inc."),
    ("I work at Foo, Inc. and like it.", "employer", "Foo, Inc."),
    ("I work for Johnson & Johnson.", "employer", "Johnson & Johnson"),
    ("My favourite film is Monsters, Inc. and I saw it twice.", "favourite film", "Monsters, Inc."),
    ("My favourite runtime is Node.js, by far.", "favourite runtime", "Node.js"),
    ("I'm head of design at Acme.", "job", "head of design"),
    ("We live in Otley these days.", "home", "Otley"),
    ("我住在St. Louis。", "home", "St. Louis"),
    ("我叫李明。", "name in Chinese", "李明"),
    ("你好，我是徐志远，支付项目的负责人。", "name in Chinese", "徐志远"),
    ("你好，我是徐志远，支付项目的负责人。", "job", "负责人"),
    ("大家好，我是陈静，一家花店的店长。", "job", "店长"),
    ("我叫乐乐。", "name in Chinese", "乐乐"),
    ("Hi, I'm Ella 徐敏, a nurse.", "name in Chinese", "徐敏"),
    ("Hi, I'm Ella 徐敏, a nurse.", "name", "Ella"),
    ("我叫Ella 徐敏，在上海上班。", "name", "Ella"),
    ("我今年36了。", "age", "36"),
    ("我叫徐敏，今年四十二，住在苏州。", "age", "42"),
    ("我叫徐敏，今年42，在苏州做平面设计。", "job", "平面设计"),
    ("我叫徐敏，是一名护士，住在苏州。", "home", "苏州"),
    ("我叫徐敏，是一名护士，住在苏州。", "job", "护士"),
    ("我是做外贸的。", "job", "外贸"),
    ("以后别叫我小徐，叫我敏敏就行。", "address", "敏敏"),
    ("叫我志远就好。", "address", "志远"),
    ("叫我雨桐就行。", "address", "雨桐"),
    ("叫我老板就行。", "address", "老板"),
    ("我叫周岚，做销售", "job", "销售"),
    ("我叫周岚，招聘经理", "job", "招聘经理"),
    ("我叫周岚，对外汉语老师", "job", "对外汉语老师"),
    ("我本来就叫周岚。", "name in Chinese", "周岚"),
    ("我叫妞妞，住在南京", "name in Chinese", "妞妞"),
    ("大家好，我是苏敏。", "name in Chinese", "苏敏"),
    ("大家好，我是董洁。", "name in Chinese", "董洁"),
    ("我叫 周岚", "name in Chinese", "周岚"),
    ("我住在 南京", "home", "南京"),
    ("请叫我 小周 谢谢", "address", "小周"),
    ("我搬到 南京了 最近", "home", "南京"),
    ("我不吃芹菜的，闻着难受。", "diet", "不吃芹菜"),
    ("我不吃生的。", "diet", "不吃生的"),
    ("香菇我也不吃。", "diet", "不吃香菇"),
    ("豆浆我不喝的。", "diet", "不喝豆浆"),
    ("我不吃芹菜。还有香菇也不吃，受不了那个味。", "diet", "不吃香菇"),
    ("我的名字是王小红（Wang Xiaohong），你好。", "name", "Wang Xiaohong"),
    ("My name is Li Ming (李明).", "name in Chinese", "李明"),
    ("我今年30岁。", "age", "30"),
    ("我三十一岁了。", "age", "31"),
    ("上周我刚过了30岁生日。", "age", "30"),
    ("我上周刚满30岁。", "age", "30"),
    ("我是一名30岁的护士。", "age", "30"),
    ("我住在北京。", "home", "北京"),
    ("我现在住下沙。", "home", "下沙"),
    ("我住在不丹。", "home", "不丹"),
    ("你好 我住在苏州 开咖啡店", "home", "苏州"),
    ("大家好 我叫方小雨 今年29 在苏州开店", "name in Chinese", "方小雨"),
    ("嗯 我不吃香菜 闻到就头疼", "diet", "不吃香菜"),
    ("我是上海人。", "from", "上海"),
    ("我是一名软件工程师。", "job", "软件工程师"),
    ("我换了一份新工作，在谷歌公司。", "employer", "谷歌公司"),
    ("请叫我小王。", "address", "小王"),
    ("请用中文回答。", "answer language", "Chinese"),
    ("可以换回中文了。", "answer language", "Chinese"),
    ("我最喜欢的颜色是蓝色。", "favourite 颜色", "蓝色"),
    ("我对花生过敏。", "allergy", "花生"),
    ("我更喜欢简短的回答。", "wants answers", "简短的回答"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "name"),
    [("This is Windows btw", "name"), ("I'm Leo, 20, minutes late", "age"), ("I'm Seat, 14, aisle", "age")],
)
def test_what_only_looks_like_an_introduction_is_none(text: str, name: str) -> None:
    assert told([user(0, text)]).get(name) is None


@pytest.mark.parametrize(("text", "name", "value"), SAYS)
def test_what_is_said_of_oneself_is_an_entry(text: str, name: str, value: str) -> None:
    assert told([user(0, text)]).get(name) == value


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("My name is Paweł Wałęsa.", "name", "Paweł Wałęsa"),
        ("My name is Ayşe Yılmaz.", "name", "Ayşe Yılmaz"),
        ("My name is Nguyễn Thị Hạnh.", "name", "Nguyễn Thị Hạnh"),
        ("I'm Gülşen Işık, a nurse.", "name", "Gülşen Işık"),
        ("My name is Anna O'Brien.", "name", "Anna O'Brien"),
        ("My name is Ann Smith-Jones.", "name", "Ann Smith-Jones"),
        ("My name is DeShawn McKay.", "name", "DeShawn McKay"),
        ("I live in Zürich.", "home", "Zürich"),
        ("I live in Berlin. I moved to Łódź last month.", "home", "Łódź"),
        ("I live in Ankara. I moved to İzmir last month.", "home", "İzmir"),
        ("I work at Škoda.", "employer", "Škoda"),
        # No letter is composed with these marks.
        ("My name is M̄aria.", "name", None),
        ("I live in Kö̈ln.", "home", None),
    ],
)
def test_a_name_is_read_whole_or_not_at_all(form: Form, text: str, name: str, value: str | None) -> None:
    said = user(0, normalize(form, text))
    profile = told([said])
    assert profile.get(name) == value
    assert all(tells(said.content, entry) for entry in profile.entries if entry.name == name)


def test_a_name_without_an_end_is_read_in_no_time() -> None:
    for name in ("A" + "ł" * 20_000, "A" + "-łŁ" * 7_000, "Ał'" * 7_000, "Aa" * 10_000):
        assert re.match(NAME, f"{name}ał4") is None


def test_what_is_typed_without_apostrophes_is_kept_as_it_was_typed() -> None:
    text = "hi. im noah, a student from leeds. im 20. my favourite snack is whatever im having"
    found = [(claim.attribute, claim.value, text[claim.start :].split(" ")[0]) for claim in claimed(text)]
    assert found == [
        ("name", "Noah", "im"),
        ("job", "student", "im"),
        ("from", "Leeds", "im"),
        ("age", "20", "im"),
        ("taste", "whatever im having", "my"),
    ]


@pytest.mark.parametrize(
    ("text", "firms"),
    [
        ("I left Mayo Clinic last year.", [(None, "Mayo Clinic")]),
        ("I'm a nurse at Mayo Clinic.", [("Mayo Clinic", None)]),
        ("I was hired by Marchmont Legal.", [("Marchmont Legal", None)]),
        ("I work at Mayo Clinic.", [("Mayo Clinic", None)]),
        ("I just got hired at Marchmont Legal as a clerk.", [("Marchmont Legal", None)]),
        ("I left Marchmont Legal and joined Mayo Clinic.", [("Mayo Clinic", "Marchmont Legal")]),
        ("I left Monday.", []),
        ("I quit Friday, it was time.", []),
        ("I left Mondays at noon.", []),
        ("I'm a clerk for March.", []),
        ("I was hired at June.", []),
    ],
)
def test_a_firm_may_begin_as_a_day_or_a_month_does(
    text: str, firms: list[tuple[str | None, str | None]]
) -> None:
    found = [(claim.value, claim.instead_of) for claim in claimed(text) if claim.attribute == "employer"]
    assert found == firms


def user(exchange: int, text: str, who: str | None = None) -> StoredMessage:
    return replace(
        message(exchange, exchange, "user", text, datetime(2024, 3, 1 + exchange, tzinfo=UTC)), speaker=who
    )


def rows(
    given: Sequence[StoredMessage],
    facts: dict[int, list[tuple[str, str]]] | None = None,
    notes: Sequence[dict[str, Any]] = (),
) -> pa.Table:
    extracted = [
        {"segment": "s", "exchange_id": exchange, "conversation_id": "c", "summary": "", "made_by": "a model",
         "facts": [{"key": key, "value": value} for key, value in each]}
        for exchange, each in (facts or {}).items()
    ]  # fmt: skip
    noted = [{"segment": "s", "n": n, "conversation_id": "c", **note} for n, note in enumerate(notes)]
    tables = {
        "messages": stored(given),
        "extractions": pa.Table.from_pylist(extracted, schema=EXTRACTIONS),
        "notes": pa.Table.from_pylist(noted, schema=NOTES),
    }
    (made,) = Profile().leaves([Span("s", tables)])
    return made


def told(given: Sequence[StoredMessage], **made: Any) -> Told:
    return history(rows(given, **made))


def one(profile: Told, name: str) -> Entry:
    (found,) = [entry for entry in profile.entries if entry.name == name]
    return found


def test_what_a_program_files_is_its_own_words_whatever_it_looks_like() -> None:
    assert told([message(0, 0, "memory", "> I live in Oslo.")]).get("home") == "Oslo"
    assert told([message(0, 0, "user", "> I live in Oslo.")]).get("home") is None


@pytest.mark.parametrize(
    ("first", "then", "name", "value"),
    [
        ("I work at Slack.", "I left Slack on mute.", "employer", "Slack"),
        ("I work at Acme.", "I got a job at Bosch but declined it.", "employer", "Acme"),
        ("I'm learning Spanish.", "I gave up Spanish omelettes.", "language", "Spanish"),
    ],
)
def test_what_is_given_up_is_no_job_and_no_language(first: str, then: str, name: str, value: str) -> None:
    entries = told([user(0, first), user(1, then)]).entries
    assert [entry.value for entry in entries if entry.attribute == name] == [value]


@pytest.mark.parametrize(
    ("first", "then", "name", "values"),
    [
        ("I live in London.", "No, I live in Paris.", "home", ("London", "Paris")),
        ("I live in London.", "no, Paris, not London.", "home", ("London", "Paris")),
        ("I live in London.", "That's wrong. I live in Paris.", "home", ("London", "Paris")),
        ("I'm 30 years old.", "Actually I'm 31.", "age", ("30", "31")),
        ("My name is Anna.", "Sorry, my name is Hanna.", "name", ("Anna", "Hanna")),
        ("I live in London.", "Correction: I live in Paris, not London.", "home", ("London", "Paris")),
        ("I live in London.", "Update: I live in Paris now.", "home", ("London", "Paris")),
        ("I live in London.", "**Update:** I live in Paris now.", "home", ("London", "Paris")),
        ("I live in London.", "Actually, I moved again: I now live in Paris.", "home", ("London", "Paris")),
        ("My name is Anna.", "Quick correction: my name is Hanna.", "name", ("Anna", "Hanna")),
        ("I'm 30 years old.", "Update: I am 31 years old now.", "age", ("30", "31")),
        ("I'm 30 years old.", "Correction to what I said earlier: I'm 31.", "age", ("30", "31")),
        ("I live in London.", "We just moved from London to Paris.", "home", ("London", "Paris")),
        ("我住在伦敦。", "更正：我住在巴黎。", "home", ("伦敦", "巴黎")),
        ("我住在伦敦。", "不，我住在巴黎，不是伦敦。", "home", ("伦敦", "巴黎")),
        ("我住在伦敦。", "不对，是巴黎，不是伦敦。", "home", ("伦敦", "巴黎")),
        ("我今年30岁。", "其实我今年31岁。", "age", ("30", "31")),
    ],
)  # fmt: skip
def test_a_correction_wins_at_once_and_keeps_the_old_value_with_both_places(
    first: str, then: str, name: str, values: tuple[str, str]
) -> None:
    now = one(told([user(0, first), user(1, "Thank you."), user(2, then)]), name)
    assert (now.before[0].value, now.value) == values
    assert now.corrected
    assert [source.exchange_id for source in (*now.before[0].said, *now.said)] == [0, 2]
    assert now.said[0].quote in then
    # And as of the message before it, the older one holds.
    assert one(told([user(0, first), user(1, "Thank you.")]), name).value == values[0]


@pytest.mark.parametrize(
    ("first", "then", "name", "value"),
    [
        ("I'm 30 years old.", "No, Monday, not 30.", "age", "30"),
        ("I'm 30 years old.", "No, 200, not 30.", "age", "30"),
        ("I'm 30 years old.", "Actually 12, not 30, rows come back.", "age", "30"),
        ("I'm 30 years old.", "Actually 12, not 30%.", "age", "30"),
        ("I live in Paris.", "No, 15, not Paris.", "home", "Paris"),
        ("I live in Paris.", "No, 15, not Paris", "home", "Paris"),
        ("我今年30岁。", "不对，是周一，不是30。", "age", "30"),
        ("我今年30岁。", "其实是12，不是30，条记录。", "age", "30"),
        ("我住在巴黎。", "不对，是15，不是巴黎。", "home", "巴黎"),
        # What is of the kind and ends the sentence goes there.
        ("I'm 30 years old.", "No, 31, not 30.", "age", "31"),
        ("I live in Paris.", "No, Rome, not Paris!", "home", "Rome"),
        ("我今年30岁。", "不对，是31岁，不是30岁，谢谢。", "age", "31"),
    ],
)
def test_one_value_set_against_another_goes_only_where_its_kind_stands(
    first: str, then: str, name: str, value: str
) -> None:
    assert told([user(0, first), user(1, then)]).get(name) == value


@pytest.mark.parametrize(
    ("said", "name", "yes", "no"),
    [
        ("I'm 30 years old.", "age", ["I'm 30 and fly on May 3.", "age: 30"], ["June 30", "3000 euros", "age: 3"]),
        ("I live in Rome.", "home", ["I live in Rome, Italy.", "home: Rome"], ["I fly from Rome.", "I like Romero."]),
        ("I'm a nurse.", "job", ["I work as a nurse.", "job: nurse"], ["Call the nurse station.", "nurse"]),
        ("I love pizza.", "likes", ["I love pizza!", "likes: pizza"], ["My favourite food is pizza.", "hates: pizza"]),
        ("我住在罗马。", "home", ["我住在罗马，是护士。", "home: 罗马"], ["我们和罗马诺公司合作。"]),
        ("我30岁。", "age", ["我今年30岁，住在巴黎。"], ["6月30日出发", "预算3000元"]),
    ],
)  # fmt: skip
def test_a_text_tells_an_entry_where_it_says_so_of_the_user(
    said: str, name: str, yes: list[str], no: list[str]
) -> None:
    entry = one(told([user(0, said)]), name)
    assert [text for text in (*yes, *no) if tells(text, entry)] == yes
    assert tells(f"Ann: {said}", replace(entry, who="Ann"))


def test_what_is_repeated_adds_its_evidence_and_what_is_more_exact_takes_the_place() -> None:
    said = [user(0, "I live in Paris."), user(1, "I live in Paris, France."), user(2, "I live in Paris.")]
    home = one(told(said), "home")
    assert (home.value, home.count, home.before) == ("Paris, France", 3, ())
    assert [source.message_id for source in home.said] == ["m0", "m1", "m2"]


@pytest.mark.parametrize(("attribute", "value"), [("home", "Rome"), ("answers", "Always answer in lists")])
def test_what_is_said_again_is_compared_with_nothing_that_was_said(
    attribute: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = rows([user(0, "I live in Rome.")])
    first = made.to_pylist()[0] | {"attribute": attribute, "value": value}
    again = pa.Table.from_pylist([{**first, "exchange_id": n} for n in range(20)], schema=made.schema)
    compared: list[object] = []
    equal = Evidence.__eq__
    monkeypatch.setattr(Evidence, "__eq__", lambda one, other: compared.append(other) or equal(one, other))
    (entry,) = history(again).entries
    assert (entry.count, len(entry.said), len(compared)) == (20, 20, 0)


@pytest.mark.parametrize("marked", [False, True])
def test_what_takes_back_is_compared_with_what_it_may_mean_alone(
    marked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = rows([user(0, "I like pizza.")])
    likes = made.to_pylist()[0]
    gone = [mark(f"pizza{n}") if marked else f"Pizza{n}" for n in range(20)]
    many = [
        *({**likes, "exchange_id": n, "value": f"pizza{n}"} for n in range(20)),
        *({**likes, "exchange_id": n + 20, "value": None, "instead_of": each} for n, each in enumerate(gone)),
    ]
    compared: list[str] = []
    monkeypatch.setattr(
        "memfold.layers.profile.history._same",
        lambda attribute, one, other: compared.append(one) or same(attribute, one, other),
    )
    assert not history(pa.Table.from_pylist(many, schema=made.schema)).entries
    assert set(compared) == {f"pizza{n}" for n in range(20)}
    assert len(compared) <= 3 * 20


def test_who_changes_back_is_taken_at_their_word_and_who_takes_back_leaves_nothing() -> None:
    said = [user(n, f"I live in {where}.") for n, where in enumerate(["Rome", "Oslo", "Rome"])]
    home = one(told(said), "home")
    assert (home.value, [each.value for each in home.before]) == ("Rome", ["Rome", "Oslo"])
    gone = told([*said, user(3, "I don't live in Rome any more.")])
    assert gone.get("home") is None
    assert told([user(0, "I'm vegan."), user(1, "I'm no longer vegan.")]).get("diet") is None


def test_who_lives_somewhere_moves_and_who_does_not_has_moved_no_house() -> None:
    assert (
        told([user(0, "I live in Rome."), user(1, "I moved to Berlin last month.")]).get("home") == "Berlin"
    )
    assert told([user(0, "I moved to Berlin last month.")]).get("home") is None


@pytest.mark.parametrize(
    "then",
    [
        "My new home is Paris.",
        "PS: I live in Paris now.",
        "Good news: I moved to Paris.",
        "One more thing: I live in Paris.",
        "We moved last week: I live in Paris now.",
        "Update on my address: I live in Paris.",
        "我又搬家了：我现在住在Paris。",
        "好消息：我住在Paris。",
    ],
)
def test_what_is_told_as_news_takes_the_place_of_what_was(then: str) -> None:
    home = one(told([user(0, "I live in London."), user(1, then)]), "home")
    assert (home.value, [each.value for each in home.before]) == ("Paris", ["London"])


HELD = {"en": "I live in Oslo. I work as a nurse.", "zh": "我住在奥斯陆。我是一名护士。"}
MOVED = [
    ("Finally moved to Hamburg!", "Hamburg"),
    ("Big news! Just moved to Lyon, any tips?", "Lyon"),
    ("Hey Mel! Recently relocated to Lyon for work.", "Lyon"),
    ("We've moved to Hamburg.", "Hamburg"),
    ("My wife and I finally moved to Hamburg.", "Hamburg"),
    ("We just moved to Austin, Texas last month.", "Austin, Texas"),
    ("We moved to Otley, still unpacking.", "Otley"),
    ("We moved to Lyon from Oslo.", "Lyon"),
    ("We moved to Otley from Oslo.", "Otley"),
    ("I've moved back home to Otley.", "Otley"),
    ("I settled in Lyon after the divorce.", "Lyon"),
    ("I moved to Lyon for a new job.", "Lyon"),
    ("After six years away we've moved to Otley with the kids.", "Otley"),
    ("I've just moved into a lovely little flat in Leeds.", "Leeds"),
    ("Just moved into our new house in Leeds!", "Leeds"),
    ("We moved to a bigger flat in Leeds last weekend.", "Leeds"),
    ("New flat in Leeds, first night here.", "Leeds"),
    ("First night in our new flat in Leeds!", "Leeds"),
    ("I no longer live in Oslo, I'm in Lyon now.", "Lyon"),
    ("我终于搬到汉堡了！", "汉堡"),
    ("终于搬到汉堡了！", "汉堡"),
    ("我们上个月搬到了杭州市。", "杭州市"),
    ("我和老公从奥斯陆搬到了小镇。", "小镇"),
    ("我搬回汉堡了。", "汉堡"),
    ("我已经在汉堡定居了。", "汉堡"),
    ("我不住在奥斯陆了，现在住在汉堡。", "汉堡"),
]
BECAME = [
    ("I've just become a teacher.", "teacher"),
    ("Just became a teacher!", "teacher"),
    ("I became a teacher last week.", "teacher"),
    ("Started my new job as a data engineer today!", "data engineer"),
    ("I've started working as a data engineer at Acme.", "data engineer"),
    ("I was just hired as a chef.", "chef"),
    ("I've retrained as an electrician.", "electrician"),
    ("I left nursing; I'm a teacher now.", "teacher"),
    ("I got promoted to head of design.", "head of design"),
    ("Got promoted to Head of Sales and Marketing!", "Head of Sales and Marketing"),
    ("I've been promoted from designer to director of product design.", "director of product design"),
    ("I was promoted to team lead last week.", "team lead"),
    ("I retired last year.", "retired"),
    ("I'm happily retired, and travel a lot.", "retired"),
    ("我去年退休了。", "退休"),
    ("我刚成为一名老师。", "老师"),
    ("我现在是一名老师了。", "老师"),
    ("我不做护士了，现在是老师。", "老师"),
    ("我今天开始了数据工程师的新工作。", "数据工程师"),
    ("我升职为设计主管了。", "设计主管"),
    ("你好！刚被提拔为设计主管。", "设计主管"),
    ("我转行做厨师了。", "厨师"),
]


@pytest.mark.parametrize(
    ("then", "name", "value"),
    [*((then, "home", value) for then, value in MOVED), *((then, "job", value) for then, value in BECAME)],
)
def test_a_move_and_a_new_job_take_the_place_of_what_was(then: str, name: str, value: str) -> None:
    held = HELD["en" if then.isascii() else "zh"]
    now = one(told([user(0, held), user(1, then)]), name)
    assert (now.value, len(now.before)) == (value, 1)
    assert now.before[0].value in held


@pytest.mark.parametrize(
    "then",
    [
        "I'm no longer a nurse.",
        "I'm not a nurse anymore.",
        "I'm no longer a nurse, thank God.",
        "我不再是护士了。",
        "我已经不是护士了。",
        "我不做护士了。",
    ],
)
def test_the_job_that_somebody_no_longer_has_ends(then: str) -> None:
    rows = told([user(0, HELD["en" if then.isascii() else "zh"]), user(1, then)])
    assert [entry.value for entry in rows.entries if entry.attribute == "job"] == []


NOT_MOVED = [
    "On day three we moved to Rome and saw the Colosseum.",
    "On the second day we moved to Rome.",
    "We moved to Frankfurt for lower ping.",
    "I dreamt we moved to Berlin.",
    "On our second day we moved to Rome.",
    "We've moved to PostgreSQL.",
    "We've finally moved to Pinecone.",
    "We've moved to Biome, with the new flat config.",
    "Finally moved to Neovim!",
    "We moved to the next task.",
    "I moved to Zed from Sublime.",
    "I've moved from Scrum to Kanban.",
    "We moved to Frankfurt to cut the latency of our servers.",
    "We've moved to Oxford commas everywhere.",
    "Hi, just moved to Paris in the game I'm playing.",
    "We live in America, where nobody walks.",
    "We're moving to Hamburg next year.",
    "We might move to Hamburg.",
    "Have I moved to Hamburg already?",
    "Just moved to Hamburg?",
    "Finally moved to Hamburg: a novel by Anna",
    "I'm in Hamburg now, my flight leaves at six.",
    "My sister moved to Hamburg.",
    "My sister called. Finally moved to Hamburg!",
    "Anna wrote: finally moved to Hamburg!",
    "I moved to Hamburg for a month.",
    "I moved to New York in 2010 and came back in 2012.",
    "When I was five, we moved to Texas.",
    "In 2010 we moved to Spain.",
    "Looking for a new flat in Leeds.",
    "New flat in Leeds is too expensive.",
    "We're moving into a new flat in Leeds in May.",
    "I moved into a new role in Leeds.",
    "我们搬到阿里云了。",
    "我们搬到了下一个任务。",
    "我搬到新系统了。",
    "我打算搬到汉堡。",
    "我搬到汉堡，该带什么？",
    "我今年搬到汉堡，该带什么？",
    "我姐姐搬到汉堡了。",
    "我妹妹来电话了。终于搬到汉堡了！",
    "我们搬到汉堡了吗？",
    "2010年我们搬到了汉堡。",
    "我现在在汉堡出差。",
    "We moved to an office in Leeds.",
    # No new job.
    "I retired the old server.",
    "I've retired this server.",
    "I retired last season's model.",
    "I retired early last night.",
    "手机换回中文了。",
    "I retired to bed.",
    "If I retired in May, what would I get?",
    "When I'm retired, I want to travel.",
    "My sister retired last year.",
    "I'm not a morning person.",
    "I'm no longer a baker.",
    "I'm not a good nurse, but I try.",
    "I lead the design team for Project Apollo.",
    "After Lisbon we moved to Porto, and then flew home.",
    "We moved to Hamburg, she said.",
    "等我退休了再说。",
    "我退休了吗？",
    "我爸爸退休了。",
    "My sister has just become a teacher.",
    "My brother is well. Just got promoted to head of design.",
    "I want to become a teacher.",
    "I became a teacher in 2005.",
    "I became a cook because of my mother.",
    "I started working as a barista when I was 16.",
    "I started a job as a waiter at Leo's in 2010.",
    "Have I become a teacher?",
    "Was I promoted to manager?",
    "Was I just hired as a cook?",
    "I hope I get promoted to head of design.",
    "I've become a member of the club.",
    "I've become a bit of a chef.",
    "I've become the family photographer.",
    "I got promoted to gold member.",
    "The build was promoted to staging.",
    "我想成为一名老师。",
    "我妹妹成为了一名老师。",
    "我老板升职为总监了。",
    "我没有升职为设计主管。",
    "我成为会员了。",
]


@pytest.mark.parametrize("then", NOT_MOVED)
def test_plans_others_tools_and_what_was_long_ago_leave_home_and_job(then: str) -> None:
    held = HELD["en" if then.isascii() else "zh"]
    kept = told([user(0, held)])
    now = told([user(0, held), user(1, then)])
    assert (now.get("home"), now.get("job")) == (kept.get("home"), kept.get("job"))


@pytest.mark.parametrize(
    ("said", "home"),
    [
        ("On the last day of March I moved to Hamburg.", "Hamburg"),
        ("We moved to Hamburg, I'll ping you the address.", "Hamburg"),
        ("We dreamed of the sea for years, so we moved to Lisbon.", "Lisbon"),
        ("We moved to Bielefeld, the kids love it.", "Bielefeld"),
    ],
)
def test_a_move_is_one_whatever_else_is_said_of_it(said: str, home: str) -> None:
    assert told([user(0, "I live in Berlin."), user(1, said)]).get("home") == home


def test_who_goes_back_to_a_language_wants_answers_in_it() -> None:
    for back in ("You can go back to English.", "English again please.", "Let's switch back to English"):
        wish = one(told([user(0, "Please answer in German."), user(1, back)]), "answer language")
        assert (wish.value, [former.value for former in wish.before]) == ("English", ["German"])
    for back in ("换回中文吧。", "别再用德语了，用中文回答吧。"):
        wish = one(told([user(0, "请用德语回答。"), user(1, back)]), "answer language")
        assert wish.value == "Chinese"


@pytest.mark.parametrize(
    ("first", "then", "language"),
    [
        ("Please answer in German.", "You no longer need to answer in German.", None),
        ("Please answer in German.", "No need to answer in German.", None),
        ("Please answer in German.", "Stop answering in German.", None),
        ("Please answer in German.", "Thanks! No more German, please.", None),
        ("Please answer in German.", "I don't want you to reply in German anymore.", None),
        ("Please answer in German.", "Sorry, English again please.", "English"),
        ("Please answer in German.", "Don't answer in German, answer in French.", "French"),
        (
            "Please answer in German.",
            "Answer in French from now on, you no longer need to answer in German.",
            "French",
        ),
        ("Please answer in German.", "No need to answer in French.", "German"),
        ("Please answer in German.", "For emails, you don't have to write in German.", "German"),
        ("Please answer in German.", "No need to reply in German this time.", "German"),
        ("Please answer in German.", "Don't answer in German until I ask you.", "German"),
        ("Please answer in German.", "In Berlin you don't need to speak in German.", "German"),
        ("Please answer in German.", "You don't have to answer in German?", "German"),
        ("Please answer in German.", "I finished the Goethe exam. No more German!", "German"),
        ("Please answer in German.", "I no longer need German.", "German"),
        ("Please answer in German.", "My kids always speak in english at school.", "German"),
        ("Please answer in German.", "You can write in English now on the exam.", "German"),
        ("Please answer in German.", "please write in latin letters", "German"),
        ("Please answer in German.", "No need to answer in German at work.", "German"),
        ("Please answer in German.", "No more German lessons for me.", "German"),
        ("Please answer in German.", "My boss told me to never answer in German.", "German"),
        ("请用德语回答。", "不用再用德语回答了。", None),
        ("请用德语回答。", "以后不要用德语回答我。", None),
        ("请用德语回答。", "我不用德语回答客户。", "German"),
        ("请用德语回答。", "作文不要用德语写。", "German"),
        ("请用德语回答。", "请别忘了用英语回答。", "English"),
        ("请用德语回答。", "以后特别用英语回答我。", "English"),
        ("请用德语回答。", "他问我问题，用中文回答。", "German"),
    ],
)
def test_a_language_for_answers_is_taken_back_by_who_says_so_of_all_answers(
    first: str, then: str, language: str | None
) -> None:
    assert told([user(0, first), user(1, then)]).get("answer language") == language


@pytest.mark.parametrize(
    ("orders", "language"),
    [
        (("Bitte antworte mir immer auf Deutsch",), "German"),
        (("Bitte antworte mir immer auf Deutsch", "Ab jetzt antworte bitte immer auf Englisch"), "English"),
        (("Bitte antworte mir immer auf Deutsch", "Du musst nicht mehr auf Deutsch antworten"), None),
        (("Antworte immer auf Deutsch, weil ich kein Englisch kann",), "German"),
        (("Contéstame siempre en español, por favor",), "Spanish"),
        (("Réponds-moi toujours en français",), "French"),
        (("Antworte mir nie auf Englisch",), None),
        (("Nunca respondas en inglés",), None),
        (("Ne réponds jamais en anglais",), None),
        (("Schreibe Kommentare immer auf Englisch",), None),
    ],
)
def test_a_standing_order_says_in_which_language_answers_are_wanted(
    orders: Sequence[str], language: str | None
) -> None:
    noted = [{"exchange_id": n, "kind": "instruction", "text": text} for n, text in enumerate(orders)]
    given = [user(n, text) for n, text in enumerate(orders)]
    assert told(given, notes=noted).get("answer language") == language


def test_a_team_that_moves_has_not_moved_house() -> None:
    assert (
        told([user(0, "I live in London."), user(1, "We moved from Scrum to Kanban.")]).get("home")
        == "London"
    )


def test_a_taste_that_turns_is_one_entry() -> None:
    turned = told([user(0, "I love coffee."), user(1, "I hate coffee.")])
    assert [(each.name, each.value, each.before[0].value) for each in turned.entries] == [
        ("dislikes", "coffee", "likes coffee")
    ]
    swapped = told([user(0, "I prefer tea over coffee."), user(1, "I prefer coffee over tea.")])
    assert one(swapped, "prefers").before[0].value == "tea over coffee"


@pytest.mark.parametrize(
    ("first", "then", "name", "value", "before"),
    [
        ("I love coffee.", "I don't like coffee anymore.", "dislikes", "coffee", ["likes coffee"]),
        (
            "I prefer tea to milk.",
            "I prefer milk to tea these days",
            "prefers",
            "milk to tea",
            ["tea to milk"],
        ),
        ("I prefer tea to milk.", "I prefer milk over tea.", "prefers", "milk over tea", ["tea to milk"]),
        ("I'm vegan.", "I'm vegetarian now.", "diet", "vegetarian", ["vegan"]),
        ("我是素食者。", "我是纯素食者。", "diet", "纯素食者", ["素食者"]),
        ("I work at Acme.", "I left Acme in March, I'm at Bolt now.", "employer", "Bolt", ["Acme"]),
        ("I work at Acme. I quit Acme.", "I got hired at Bolt.", "employer", "Bolt", ["Acme"]),
        ("I work at Acme.", "I left Split in March, I'm at Heathrow now.", "employer", "Acme", []),
        ("I work at Acme.", "I don't work at Acme anymore, I'm at Bolt.", "employer", "Bolt", ["Acme"]),
        ("I work at Acme.", "I quit my job at Acme and joined Bolt.", "employer", "Bolt", ["Acme"]),
        ("I'm a nurse.", "I'm unemployed now.", "job", "unemployed", ["nurse"]),
        ("I live in Porto.", "Wait no, Lisbon.", "home", "Lisbon", ["Porto"]),
        ("I live in Porto. Wait no, Lisbon.", "Thanks!", "home", "Lisbon", ["Porto"]),
        ("I live in Porto. Name a bar in Madrid.", "Wait no, Lisbon.", "home", "Porto", []),
        ("I'm 41.", "Sorry, typo, 42.", "age", "42", ["41"]),
        ("I'm 41. Name a gift for a friend.", "Sorry, typo, 42.", "age", "41", []),
        ("I speak French.", "I don't speak French well.", "language", "French", []),
        ("I'm learning French.", "I don't speak French.", "learning language", "French", []),
        ("I'm a nurse.", "I'm a student again.", "job", "student", ["nurse"]),
        ("I'm a nurse.", "I work in healthcare.", "job", "nurse", []),
        ("I'm a nurse.", "I work in marketing now.", "job", "marketing", ["nurse"]),
        ("I work in healthcare.", "I'm a nurse.", "job", "nurse", ["healthcare"]),
    ],
)
def test_what_somebody_is_or_likes_instead_takes_the_place(
    first: str, then: str, name: str, value: str, before: list[str]
) -> None:
    (entry,) = [each for each in told([user(0, first), user(1, then)]).entries if each.attribute != "writes"]
    assert (entry.name, entry.value, [each.value for each in entry.before]) == (name, value, before)


def test_two_values_leave_open_which_of_them_was_typed_wrong() -> None:
    held = told([user(0, "I'm Ana, a nurse from Split."), user(1, "Wait no, Anna.")])
    assert (held.get("name"), held.get("from")) == ("Ana", "Split")


@pytest.mark.parametrize(
    "then", ["I don't speak French any more.", "I no longer speak French.", "I can't speak French."]
)
def test_a_language_that_somebody_speaks_no_more_goes(then: str) -> None:
    assert [each.value for each in told([user(0, "I speak French and German."), user(1, then)]).entries] == [
        "German"
    ]


@pytest.mark.parametrize(
    ("said", "name", "values"),
    [
        (
            "I don't eat meat, fish or eggs",
            "diet",
            ["does not eat meat", "does not eat fish", "does not eat eggs"],
        ),
        (
            "I don't eat pork or beef for religious reasons.",
            "diet",
            ["does not eat pork", "does not eat beef"],
        ),
        ("I'm vegan. I'm halal.", "diet", ["vegan", "halal"]),
        (
            "I prefer walks to work. I prefer work to walks by day.",
            "prefers",
            ["walks to work", "work to walks by day"],
        ),
        ("I prefer to be called Lex.", "prefers", []),
    ],
)
def test_of_several_things_each_is_an_entry(said: str, name: str, values: list[str]) -> None:
    assert [each.value for each in told([user(0, said)]).entries if each.name == name] == values


TO_BE_WORKED_ON = [
    "Proofread:\nMy name is Bob and I live in Rome.",
    "Please check the grammar.\nMy name is Bob.",
    "Can you edit this? I'm 45 years old.",
    "Could you please translate this into French. I live in Rome.",
    "Rewrite this: My name is Bob. I live in Rome.",
    "Here's my client's message: I'm 45 years old and I live in Rome.",
    "Write a letter from a farmer. I'm John, a farmer from Ohio.",
    "Write me a speech as a doctor. I'm 45 years old.",
    "Write a poem in the first person. I am 100 years old.",
    "Grade this student's essay.\nMy name is Bob. I live in Rome.",
    "Please reply to this forum post\n\nI'm 45 years old.",
    "Let's roleplay. I live in Rome.",
    "Can we pretend it is 1920? I'm 45 years old.",
    "My character is a detective. I'm 45 years old.",
    "帮我翻译成英文：\n我叫李明。我住在北京。",
    "请把下面这段话改一下。我今年30岁。",
    "润色：我住在北京。我今年30岁。",
]


@pytest.mark.parametrize("text", TO_BE_WORKED_ON)
def test_text_to_be_worked_on_is_not_the_profile_and_what_stands_before_it_is(text: str) -> None:
    assert told([user(0, text)]).entries == ()
    assert told([user(0, f"I work at Google. {text}")]).get("employer") == "Google"
    assert told([user(0, text)], facts={0: [("user's age", "45"), ("user's name", "Bob")]}).entries == ()


@pytest.mark.parametrize(
    "text",
    [
        "I write letters for a living. I live in Rome.",
        "Can you review this paper? I live in Rome.",
        "My character is too kind. I live in Rome.",
        "I want to role-play an interview. I live in Rome.",
        "I translate novels. I live in Rome.",
        "Don't edit my code. I live in Rome.",
        "Write a function that reads data from S3. I live in Rome.",
        "Write a cover letter for me. I live in Rome.",
        "My boss edits films, and I live in Rome.",
        "I grade essays for a living. I live in Rome.",
        "Review my plan.\n\nI live in Rome.",
        "Reply to this. I live in Rome.",
        "I teach role-play. I live in Rome.",
        "My character limit is 200. I live in Rome.",
        "My favourite character is Emma. I live in Rome.",
        "I live in Rome, what's the German for bread?",
        "What's the best visa for me? I live in Rome.",
    ],
)
def test_who_speaks_of_writing_asks_for_no_text(text: str) -> None:
    assert told([user(0, text)]).get("home") == "Rome"


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("I'm allergic to peanuts.", "I'm not allergic to peanuts."),
        ("I'm allergic to peanuts.", "Actually, I'm no longer allergic to peanuts."),
        ("I have a peanut allergy.", "I'm not allergic to peanuts."),
        ("I'm lactose intolerant.", "I'm not lactose intolerant anymore."),
        ("I'm vegan.", "I'm not vegan."),
        ("I don't eat meat.", "I eat meat now."),
        ("I never eat meat.", "I've started eating meat again."),
        ("I don't drink coffee.", "I do drink coffee."),
        ("我对花生过敏。", "我现在对花生不过敏了。"),
        ("我不吃肉。", "我现在吃肉了。"),
    ],
)
def test_what_is_said_of_diet_and_health_can_be_taken_back(first: str, then: str) -> None:
    other = "I'm celiac."
    assert [each.value for each in told([user(0, other), user(1, first), user(2, then)]).entries] == [
        "celiac"
    ]
    both = told([user(0, f"{first} I don't eat fish."), user(1, f"{then} I eat fish now.")])
    assert (both.get("diet"), both.get("allergy")) == (None, None)


@pytest.mark.parametrize(
    "then",
    [
        "I'm not allergic to dogs.",
        "I'm not vegan yet.",
        "Am I not allergic to peanuts?",
        "If I eat meat, I feel ill.",
        "I never eat meat.",
    ],
)
def test_what_takes_back_another_thing_leaves_diet_and_allergy(then: str) -> None:
    held = [user(0, "I'm allergic to peanuts. I'm vegan. I don't eat meat.")]
    assert [(each.name, each.value) for each in told([*held, user(1, then)]).entries] == [
        ("diet", "vegan"),
        ("diet", "does not eat meat"),
        ("allergy", "peanuts"),
    ]


def test_a_favourite_thing_is_one_however_it_is_spelt() -> None:
    both = [user(0, "My favourite colour is blue."), user(1, "My favorite color is red.")]
    (entry,) = told(both).entries
    assert (entry.value, [each.value for each in entry.before]) == ("red", ["blue"])
    again = one(told([*both, user(2, "My favourite colour is red.")]), "favourite color")
    assert (again.value, again.count) == ("red", 2)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("curl -s https://example.org/me returned:\nI live in Graz.", False),
        ("prompt: |\n  My name is Bea Lund.\n  I live in Graz.", False),
        ("Node.js\n-----\nI live in Graz.", True),
        ("notes.txt\n---\nI live in Graz.", True),
        ("todo.md\n---\n- my taxes\n- I live in Graz.", True),
        ("- Observation: I sleep badly.\n- I live in Graz.", True),
        ("==> notes.txt <==\nI live in Graz.", False),
        ("README.md\n---\nI live in Graz.", False),
    ],
)
def test_what_is_told_below_a_head(said: str, told: bool) -> None:
    assert any(claim.attribute == "home" for claim in claimed(own_words(said)[0])) == told


def test_only_the_user_s_own_words_count() -> None:
    for carrier in ("Here is the email:\n{}", "```\n{}\n```", "> {}", 'She wrote "{}" to me.'):
        assert told([user(0, carrier.format("I live in Paris."))]).entries == ()
    for role in ("assistant", "tool", "system"):
        assert told([message(0, 0, role, "I live in Paris.")]).entries == ()  # type: ignore[arg-type]
    assert told([replace(user(0, "I live in Paris."), current=False)]).entries == ()


def test_what_a_model_wrote_counts_where_it_stands_in_the_user_s_words() -> None:
    spoke = [
        user(0, "Taylor here, the paramedic, writing from Davistown."),
        message(1, 0, "assistant", "Hello Sam from Rome."),
    ]
    facts = {
        0: [
            ("user's name", "Taylor"),
            ("user's job", "paramedic, new to code"),
            ("user's home", "Rome"),
            ("name", "Sam"),
        ]
    }
    found = told(spoke, facts=facts)
    assert [(each.name, each.value) for each in found.entries] == [("name", "Taylor"), ("job", "paramedic")]
    both = [user(0, "I live in London."), user(1, "No, I live in Paris, not London.")]
    assert told(both, facts={1: [("user's home", "London")]}).get("home") == "Paris"
    by_rules = rows(spoke, facts).to_pylist()
    assert {row["source"] for row in by_rules} == {"noted", "used"}


@pytest.mark.parametrize(
    ("text", "key", "value", "known"),
    [
        ("I also want a table.", "user name", "Al", None),
        ("It was 1932 when it began.", "user age", "32", None),
        ("I counted 3 of them.", "user age", "3", None),
        ("What is it? I do not know.", "user name", "?", None),
        ("This is Al, and I also want a table.", "user name", "Al", "Al"),
        ("I am thirty two (32), by the way.", "user age", "32", "32"),
        ("叫我Tom吧，今年32岁。", "user name", "Tom", "Tom"),
        ("叫我Tom吧，今年32岁。", "user age", "32", "32"),
        ("大家都叫小雨的那个就是我。", "user name", "小雨", "小雨"),
    ],
)
def test_what_a_model_wrote_stands_in_the_user_s_words_as_whole_words(
    text: str, key: str, value: str, known: str | None
) -> None:
    entries = rows([user(0, text)], facts={0: [(key, value)]}).to_pylist()
    assert next((row["value"] for row in entries if row["source"] == "noted"), None) == known


def test_a_standing_order_on_how_to_answer_is_a_wish_and_a_newer_one_takes_its_place() -> None:
    spoke = [user(0, "Keep your answers under 100 words."), user(1, "Keep your answers under 50 words.")]
    notes = [
        {"exchange_id": n, "kind": "instruction", "text": each.content, "said_by": "user"}
        for n, each in enumerate(spoke)
    ]
    style = one(told(spoke, notes=notes), "wants answers")
    assert (style.value, style.before[0].value) == (
        "Keep your answers under 50 words.",
        "Keep your answers under 100 words.",
    )


def test_a_wish_for_answers_that_was_taken_back_is_no_entry() -> None:
    spoke = [user(0, "Keep your answers short."), user(1, "You don't have to keep it short anymore.")]
    notes = [
        {"exchange_id": n, "kind": "instruction", "text": each.content, "said_by": "user"}
        for n, each in enumerate(spoke)
    ]
    assert one(told(spoke[:1], notes=notes[:1]), "wants answers").value == "Keep your answers short."
    assert told(spoke, notes=notes).get("wants answers") is None


def test_a_wish_that_names_what_it_is_instead_of_is_an_entry() -> None:
    said = "Give me short answers instead of long essays."
    note = {"exchange_id": 0, "kind": "instruction", "text": said, "said_by": "user"}
    assert one(told([user(0, said)], notes=[note]), "wants answers").value == said


def test_the_language_somebody_writes_in_is_counted() -> None:
    english = [user(n, "Could you tell me what the weather is like there today?") for n in range(5)]
    chinese = [user(5 + n, "请问今天那边的天气怎么样？") for n in range(4)]
    found = {each.value: each.count for each in told([*english, *chinese]).entries}
    assert found == {"en": 5, "zh": 4}
    assert {each.value for each in told([*english, chinese[0]]).entries} == {"en"}


def test_each_named_speaker_has_a_profile() -> None:
    both = told(
        [
            user(0, "I live in Rome.", "Ann"),
            user(1, "I live in Oslo.", "Bob"),
            user(2, "No, I live in Bonn.", "Bob"),
        ]
    )
    assert both.of("Ann").get("home") == "Rome"
    assert both.of("Bob").get("home") == "Bonn"


def test_a_message_without_end_is_read_and_gives_few_claims() -> None:
    for text in (
        '"I live in ' * 5_000,
        "I'm a " * 20_000,
        "I prefer " + "a, " * 20_000,
        "我住在" * 20_000,
        "hey Hey " * 20_000,
        "我" + "刚去年" * 20_000,
        "I got promoted from a to " * 9_000,
        "I love a, b and c, " * 9_000,
        "I'm allergic to " + "a, b and " * 9_000,
        "I don't eat a or " * 9_000,
        "I have a nut " * 9_000,
        "I run a small, small " * 9_000,
        "I left The Bank of the " * 9_000,
        "wait no, sorry, " * 9_000,
        "I've been a nurse at Mercy of the " * 9_000,
        "and a is my favourite b " * 9_000,
    ):
        assert len(list(claimed(text))) < 50


@pytest.mark.parametrize(
    ("run", "text", "name", "value"),
    [
        ("we talk of the weather and ", "I live in New York with my dog ", "home", "New York"),
        ("we talk of the weather and ", "my name is Alexandra Mills ", "name", "Alexandra Mills"),
        ("on parle de la météo et ", "I'm 42 years old ", "age", "42"),
        ("今天天气很好我们去公园，", "我住在爱丁堡，", "home", "爱丁堡"),
    ],
)
def test_of_a_sentence_without_an_end_each_claim_is_whole(run: str, text: str, name: str, value: str) -> None:
    for length in range(950, 1_010, 7):
        for begin in (0, 1_000):
            before = (run * 200)[-length - begin :]
            (claim,) = claimed(before + text + run * 100)
            assert (claim.attribute, claim.value, claim.start) == (name, value, len(before))


@pytest.mark.parametrize(
    "text", ["she says, I live in New York ", "imagine that it is true and I live in New York "]
)
def test_what_is_not_said_in_earnest_is_not_wherever_a_long_sentence_is_cut(text: str) -> None:
    for length in range(940, 1_000):
        assert not list(claimed(("rain " * 200)[-length:] + text + "rain " * 100))


def test_a_store_tells_the_profile_as_of_a_message_and_as_json(tmp_path: Path) -> None:
    talk = ["My name is Anna. I'm 30 years old.", "I live in London.", "No, I live in Paris."]
    indexed(
        tmp_path,
        [
            item
            for n, text in enumerate(talk)
            for item in (said(text, id=f"u{n}", minute=n), said("Noted.", "assistant", id=f"a{n}"))
        ],
    )
    store = memfold.open(str(tmp_path))
    now = store.profile("c")
    assert (now.get("name"), now.get("age"), now.get("home")) == ("Anna", "30", "Paris")
    assert store.profile("c", as_of="u1").get("home") == "London"
    assert store.profile("c", as_of="u0").get("home") is None
    assert memfold.open(str(tmp_path), as_of="u1").profile("c") == store.profile("c", as_of="u1")
    home = next(each for each in now.json["profile"] if each["attribute"] == "home")
    assert (home["value"], home["before"][0]["value"], home["corrected"]) == ("Paris", "London", True)
    assert [home["before"][0]["said"][0]["message_id"], home["said"][0]["message_id"]] == ["u1", "u2"]
    assert "home: Paris (before: London) [exchange 2]" in now.text.splitlines()
    part = next(
        part for part in store.context("c", "Where do I live?").parts if part.label.startswith("[profile]")
    )
    assert "home: Paris (before: London)" in part.text
    with pytest.raises(memfold.UserError, match="as of a snapshot"):
        store.profile("c", as_of=1)  # type: ignore[arg-type]


def test_a_question_is_answered_with_the_newest_and_what_was_before(tmp_path: Path) -> None:
    talk = ["I live in Oslo. I work as a nurse.", "Finally moved to Hamburg!", "I've just become a teacher."]
    indexed(tmp_path, [said(text, id=f"u{n}", minute=n) for n, text in enumerate(talk)])
    store = memfold.open(str(tmp_path))
    assert "home: Hamburg (before: Oslo)" in store.ask("c", "Where do I live?").text
    assert "job: teacher (before: nurse)" in store.ask("c", "What is my current job?").text


def test_of_several_speakers_those_whom_a_question_names_are_shown(tmp_path: Path) -> None:
    talk = [("Al", "I live in Rome."), ("Bo", "I work as a nurse at Mercy Hospital.")] * 2
    indexed(
        tmp_path,
        [
            replace(said(f"{text} Again {n}.", id=f"u{n}", minute=n), speaker=who)
            for n, (who, text) in enumerate(talk)
        ],
    )
    store = memfold.open(str(tmp_path))

    def shown(question: str) -> str:
        parts = store.context("c", question, 6_000).parts
        return "".join(part.text for part in parts if part.label.startswith("[profile]"))

    assert "Mercy Hospital" in shown("Where do I also work?")
    assert "Mercy Hospital" in shown("Where does Bo work?")
    assert "Mercy Hospital" not in shown("Where does al live?")


def test_a_pattern_that_is_tried_only_at_i_and_my_finds_what_a_search_does() -> None:
    patterns = [
        each
        for module in (en, diets, home, names, tastes, tongues, work)
        for value in vars(module).values()
        for each in (value if isinstance(value, tuple) else (value,))
        if isinstance(each, re.Pattern)
    ]
    told = [*NOTHING, *NOT_MOVED, *(each[0] for each in (*SAYS, *MOVED, *BECAME))]
    texts = [*told, *(f"{one} my {other}" for one, other in itertools.pairwise(told)), "I I'm My my I'd Imy"]
    led = [pattern for pattern in patterns if matching.found(pattern, "") == []]
    assert len(led) > 20
    for pattern in led:
        for text in texts:
            spans = [match.span() for match in pattern.finditer(text)]
            assert [match.span() for match in matching.found(pattern, text)] == spans, pattern.pattern


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Where do I live?", ("home",)),
        ("Can you tell me which city do I live in now?", ("home",)),
        ("How old am I?", ("age",)),
        ("Do you remember my name?", ("name",)),
        ("What's my name?", ("name",)),
        ("What do I do for a living?", ("job",)),
        ("What's my current job?", ("job",)),
        ("我现在的工作是什么？", ("job",)),
        ("我住在哪个城市？", ("home",)),
        ("你还记得我叫什么名字吗？", ("name",)),
        ("我今年多大了？", ("age",)),
        ("What is my job title?", ("job",)),
        ("Can you remind me what my job is?", ("job",)),
        ("Remind me what I do for a living.", ("job",)),
        ("What did I say my name was?", ("name",)),
        ("Which city did I say I live in?", ("home",)),
        ("Which company do I work for?", ("employer",)),
        ("Do I have any allergies?", ("allergy",)),
        ("What am I allergic to?", ("allergy",)),
        ("我对什么过敏？", ("allergy",)),
        ("What is my diet?", ("diet",)),
        ("How old am I and where do I live?", ("age", "home")),
        ("What is my name and my job?", ("name", "job")),
        ("我叫什么，我住在哪里？", ("name", "home")),
        # What is asked besides.
        ("Where do I live and who lives with me?", ("home", None)),
        ("What do I do for a living, and where?", ("job", None)),
        ("Where do I live and what does the flat cost?", ("home", None)),
        ("How old am I going to be when the loan ends?", (None,)),
        ("Where do I live in my story?", (None,)),
        ("What is my name tag made of?", (None,)),
        ("Where does Anna live?", (None,)),
        ("What is my job interview date?", (None,)),
        ("What is my job offer?", (None,)),
        ("What is my name in the game?", (None,)),
        ("Who is my employer's lawyer?", (None,)),
        ("Where do I work out?", (None,)),
        ("Do I have any allergies to report?", (None,)),
    ],
)
def test_what_a_question_asks_of_who_asks_it(question: str, asked: tuple[str | None, ...]) -> None:
    assert tuple(asked_for(question).values()) == asked
