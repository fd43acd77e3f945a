"""Texts that are easily cut at the wrong place, as the sentences they hold: in each language one list a text.

The sentences of a text are joined by a space, in Chinese and Japanese by nothing. Written for this project: `HARD`
before the
splitter, which was mended until it passed, `UNSEEN` after it.
"""

from __future__ import annotations

_JOINT = {"zh": "", "ja": ""}


def joined(language: str, expected: list[str]) -> str:
    """The text of these sentences."""
    return _JOINT.get(language, " ").join(expected)


HARD: dict[str, list[list[str]]] = {
    "ro": [["Termin am 3. Okt. um acht.", "Das passt."]],  # a short German text may be taken for Romanian
    "en": [
        ["The deadline is Jan. 5 at 3 p.m. in Room 4.", "Bring the draft."],
        ["Dr. Amara Obi called Mr. Lee at 9 a.m. today.", "He did not pick up."],
        ["J. R. Whitlock wrote it in 1998.", "I have never read it."],
        ["The rent rose from $1,250.50 to $1,310.75.", "That is 4.8 % more."],
        ["We moved to St. Louis in Sept. 2021.", "Since then it has rained."],
        ["Use a linter, e.g. ruff, or a formatter, i.e. black.", "Both are fast."],
        ["Acme Inc. bought Bolt Ltd. last week.", "Nobody was told."],
        ["I waited … and then left.", "It was cold."],
        ["“Are you sure?” she asked.", "He nodded."],
        ["Open https://example.com/a.b?c=1.2 and log in.", "Then run main.py again."],
        ["See Fig. 3 on p. 12 of vol. 2.", "It explains the rest."],
        ["Python 3.11.4 is out!", "Should I upgrade?", "I would rather wait."],
        ["She lives in the U.S. with her cat.", "Her name is Mia."],
        ["The file is at ./data/v1.2/readme.txt now.", "Please check it."],
        ["No. 7 is mine.", "No. 8 is yours."],
        ["Call Prof. Ito at ext. 45 before Fri. noon.", "She leaves at 1 p.m."],
        ["My plumber is Ms. Lind.", "I owe Ms. Lind 40 euros."],
        ["It took 250 ms.", "Then we left."],
        ["We fly at 6 p.m. Friday.", "We land at 8 p.m.", "Friday is a holiday."],
        ["I live in Apt. 4 now.", "Nobody else does."],
    ],
    "de": [
        ["Wir treffen uns am 15. Mai um 9 Uhr.", "Danach gehen wir essen."],
        ["Das Dach kostet ca. 12.500 Euro netto.", "Das ist mir zu viel."],
        ["Dr. Weber und Prof. Dr. Klein kommen am 3. Oktober.", "Der Raum ist gebucht."],
        ["Ich mag Obst, z. B. Äpfel und Birnen.", "Kuchen mag ich auch."],
        ["Das gilt z.B. für Hunde, d.h. nicht für Katzen.", "Verstanden?"],
        ["Im 19. Jahrhundert lebte hier Friedrich III. mit seinem Hof.", "Heute ist es ein Museum."],
        ["Der Zug fährt um 14.35 Uhr ab Gleis 7.", "Bitte sei pünktlich."],
        ["Sie wohnt in der Berliner Str. 12 im 2. Stock.", "Klingel zweimal."],
        ["Er sagte: „Ich komme später.“", "Dann legte er auf."],
        ["Die Fa. Huber GmbH liefert bzw. montiert die Küche.", "Das dauert drei Tage."],
        ["Vgl. dazu S. 45 und Abb. 3 im Anhang.", "Dort steht alles."],
        ["Mein Geburtstag ist der 1. April.", "Kein Scherz!"],
        ["Die Miete inkl. Nebenkosten beträgt max. 980 Euro.", "Mehr geht nicht."],
        ["Am 24. Dezember usw. bleibt der Laden zu.", "Danach öffnen wir wieder."],
        ["Hr. Vogt hat am 8. Jan. gekündigt.", "Das kam überraschend."],
        ["Am Mo. 3. Feb. kommt er.", "Danach nicht mehr."],
    ],
    "fr": [
        ["Le rendez-vous est le 3 janv. à midi.", "Je viens."],
        ["M. Dupont arrive le 3 mars à 8 h.", "Il repart le soir."],
        ["Mme Leroy et le Dr. Petit sont absents.", "Revenez demain."],
        ["Le prix est de 12,50 € env. par personne.", "C'est trop cher."],
        ["« Tu viens ? » demanda-t-elle.", "Il ne répondit pas."],
        ["Achète des fruits, p. ex. des pommes.", "Prends aussi du lait."],
        ["J. P. Martin a écrit ce livre en 1987.", "Je ne l'ai pas lu."],
        ["Voir p. 12 et fig. 4 du rapport.", "Tout y est."],
        ["La version 2.4.1 est sortie !", "Faut-il l'installer ?"],
        ["J'ai attendu… puis je suis parti.", "Il pleuvait."],
        ["Le colis vient de chez Morel S.A. à Lyon.", "Il pèse 3.2 kg."],
    ],
    "es": [
        ["El Sr. García llega el 5 de enero a las 3 p. m. en tren.", "Después cenamos."],
        ["La Dra. Ruiz vive en la Av. Central 45.", "Llámala mañana."],
        ["Cuesta aprox. 1.250,50 euros al mes.", "Es demasiado."],
        ["¿Vienes mañana?", "¡Claro que sí!", "Nos vemos a las 9.30 h."],
        ["EE. UU. ganó el partido.", "Nadie lo esperaba."],
        ["Compra fruta, p. ej. manzanas.", "También leche."],
        ["«No voy», dijo Ana.", "Luego colgó."],
        ["J. L. Pérez escribió el núm. 3 de la revista.", "No lo he leído."],
        ["Esperé… y me fui.", "Hacía frío."],
        ["Ud. debe firmar en la pág. 12 del contrato.", "Gracias."],
    ],
    "ru": [
        ["Бюджет ок. 12.500 руб. в месяц.", "Больше нет."],
        ["Встреча 5 янв. 2024 г. в 15.00 в офисе.", "Не опаздывай."],
        ["А. С. Пушкин родился в Москве.", "Он писал стихи."],
        ["Цена около 12 500 руб. за штуку.", "Это дорого."],
        ["Он живёт на ул. Ленина, д. 5, кв. 12.", "Позвони дважды."],
        ["Купи фрукты, т. е. яблоки и груши.", "И молоко."],
        ["«Ты идёшь?» — спросила она.", "Он промолчал."],
        ["Я ждал… и ушёл.", "Было холодно."],
        ["Версия 3.11.2 вышла!", "Обновлять?"],
        ["См. рис. 3 на стр. 12 отчёта.", "Там всё сказано."],
        ["Проф. Иванов и др. уехали в г. Казань.", "Вернутся в мае."],
    ],
    "zh": [
        ["会议定在3月15日下午3点。", "请带上草稿。"],
        ["价格是12.5元，涨了3.2%。", "太贵了！", "你觉得呢？"],
        ["他说：“我明天来。”", "然后挂了电话。"],
        ["请看 https://example.com/a.b?c=1 的说明。", "再运行 main.py 试试。"],
        ["我等了很久……", "最后还是走了。"],
        ["“你确定吗？”她问。", "他点点头。"],
        ["Python 3.11.4 发布了。", "要升级吗？"],
        ["真的吗？！", "我不信。"],
        ["他叫J. Smith，住在St. Louis。", "我没见过他。"],
        ["（这是真的。）", "后来他走了。"],
    ],
    "ja": [
        ["会議は3月15日の午後3時です。", "資料を持ってきてください。"],
        ["価格は12.5ドルで、3.2%上がりました。", "高いですね！", "どう思いますか？"],
        ["彼は「明日行くよ。」と言った。", "そして電話を切った。"],
        ["「本当ですか？」と彼女は聞いた。", "彼はうなずいた。"],
        ["https://example.com/a.b を開いてください。", "次に main.py を実行します。"],
        ["ずっと待った……。", "結局帰った。"],
        ["Python 3.11.4が出ました。", "更新しますか？"],
        ["本当に？！", "信じられない。"],
        ["J. Smithさんは東京に住んでいます。", "会ったことはありません。"],
    ],
    "ko": [
        ["회의는 3월 15일 오후 3시입니다.", "초안을 가져오세요."],
        ["가격은 12.5달러이고 3.2% 올랐습니다.", "너무 비싸요!", "어떻게 생각하세요?"],
        ["“정말이에요?”라고 그녀가 물었다.", "그는 고개를 끄덕였다."],
        ["https://example.com/a.b 를 여세요.", "그다음 main.py 를 실행하세요."],
        ["2024. 3. 15. 에 만나요.", "늦지 마세요."],
        ["오래 기다렸다… 그리고 떠났다.", "추웠다."],
        ["Python 3.11.4가 나왔어요.", "업데이트할까요?"],
        ["J. Smith 씨는 서울에 살아요.", "만난 적은 없어요."],
    ],
    "ar": [
        ["الاجتماع يوم 15 مارس الساعة 3 مساءً.", "أحضر المسودة."],
        ["السعر 12.5 دولار وارتفع بنسبة 3.2%.", "هذا غالٍ جداً!", "ما رأيك؟"],
        ["قال د. أحمد إنه سيأتي غداً.", "ثم أغلق الهاتف."],
        ["هل أنت متأكد؟", "نعم، أنا متأكد."],
        ["افتح https://example.com/a.b الآن.", "ثم شغّل main.py مرة أخرى."],
        ["انتظرت طويلاً… ثم رحلت.", "كان الجو بارداً."],
        ["صدر الإصدار 3.11.4 اليوم.", "هل أحدّثه؟"],
        ["«هل ستأتي؟» سألت ليلى.", "لم يجب."],
    ],
    "hi": [
        ["बैठक 15 मार्च को दोपहर 3 बजे है।", "मसौदा साथ लाना।"],
        ["कीमत 12.5 डॉलर है और 3.2% बढ़ी है।", "यह बहुत महँगा है!", "आप क्या सोचते हैं?"],
        ["डॉ. शर्मा कल आएँगे।", "फिर वे दिल्ली जाएँगे।"],
        ["क्या तुम पक्का जानते हो?", "हाँ, मुझे पता है।"],
        ["https://example.com/a.b खोलो।", "फिर main.py चलाओ।"],
        ["मैंने बहुत इंतज़ार किया… फिर चला गया।", "ठंड थी।"],
        ["संस्करण 3.11.4 आ गया।", "क्या अपडेट करूँ?"],
        ["“तुम आओगे?” उसने पूछा।", "वह चुप रहा।"],
    ],
}

UNSEEN: dict[str, list[list[str]]] = {
    "en": [
        ["Gen. Marsh met Sgt. Cole on Oct. 12, 1944.", "They lost touch."],
        ["My flight is at 6:45 p.m. on Tue. from Gate 12.", "Wish me luck!"],
        ["The co. paid approx. 300 dollars in dep. fees.", "I kept the receipt."],
        ["i fixed it yesterday.", "it broke again."],
        ["Read ch. 4, sec. 2, and pp. 10-12.", "There is a quiz on Mon."],
        ["He works at Yahoo! in Seattle.", "I do not."],
        ["Mrs. O'Neil vs. the City was heard in Feb. 2020.", "She won."],
    ],
    "de": [
        ["Die Sitzung ist am Mo., 7. Juli, um 18 Uhr.", "Bitte Unterlagen mitbringen."],
        ["Er ist Arzt, u. a. für Kinder.", "Sein Chef ist Prof. Lang."],
        ["Der 2. Versuch klappte nach ca. 20 Min. sofort.", "Ich war froh."],
        ["Laut Art. 5 Abs. 3 GG ist Kunst frei.", "Das weiß ich jetzt."],
        ["Heute ist der 3. Tag ohne Strom.", "Mir ist kalt."],
        ["Frau Dr. med. Schulz hat Nr. 14 gekauft.", "Es war teuer."],
    ],
    "fr": [
        ["Rendez-vous av. Foch, no 12, à 14 h 30.", "Sois là."],
        ["Le prof. Blanc a cité J. Dubois, op. cit., p. 4.", "Je note."],
        ["Elle a gagné 3.500 euros en janv. 2023.", "Bravo !"],
        ["Les fruits, légumes, etc. sont frais.", "J'en prends."],
    ],
    "es": [
        ["La Sra. López llegó el 3 feb. a las 10 a. m. puntual.", "Qué bien."],
        ["Vive en C. Mayor, n.º 4, 2.º piso.", "Toca el timbre."],
        ["El Dr. Soto y el Ing. Gil firmaron.", "Ya está."],
        ["¡Hola!", "¿Cómo estás?", "Yo bien."],
    ],
    "ru": [
        ["В 2019 г. мы жили на ул. Мира.", "Потом уехали."],
        ["Это стоит 3,5 тыс. руб. в месяц.", "Я согласен."],
        ["Он купил хлеб, молоко и т. д. в магазине.", "Всё свежее."],
        ["Д-р Смирнов сказал: «Ждите».", "Мы ждали."],
    ],
    "zh": [
        ["版本2.0.1修复了问题。", "请尽快更新！"],
        ["她说“好的。”，然后笑了。", "我也笑了。"],
        ["今天好累啊。", "明天再说吧。"],
        ["他问：“几点？”我说：“三点。”", "就这样。"],
    ],
    "ja": [
        ["約3.5キロ走りました。", "疲れました。"],
        ["「行こう！」って言われた。", "断った。"],
        ["Mr. Leeに会いました。", "親切でした。"],
    ],
    "ko": [
        ["약 3.5킬로미터를 뛰었어요.", "힘들었어요."],
        ["“가자!”라고 했어요.", "저는 안 갔어요."],
        ["1999. 12. 31. 밤이었다.", "추웠다."],
    ],
    "ar": [
        ["سافرنا في 3 أبريل.", "كانت الرحلة جميلة."],
        ["كم السعر؟", "إنه 4.5 دينار."],
        ["قابلت أ. د. سامي أمس.", "كان لطيفاً."],
    ],
    "hi": [
        ["मैं 3.5 किलोमीटर दौड़ा।", "थक गया।"],
        ["श्री वर्मा आए।", "वे खुश थे।"],
        ["“चलो!” उसने कहा।", "मैं नहीं गया।"],
    ],
}
