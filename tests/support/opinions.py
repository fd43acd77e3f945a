"""Sentences by hand, with what they judge: written before the rules that read them (`unseen`: after).

A line is a sentence, then ` | ` and its judgements, each `object / aspect / sign` with + or - (the aspect by its name
in `memfold.text.aspects`, empty for the thing as a whole); a line without judgements says nothing of what the user
thinks of a thing.
"""

from __future__ import annotations

from typing import NamedTuple


class Judged(NamedTuple):
    """What a sentence says of a thing. `sign` is 1 or -1."""

    object: str
    aspect: str
    sign: int


_ENGLISH = """
I love the taste of this coffee. | coffee / taste / +
The coffee tastes wonderful. | coffee / taste / +
The coffee tastes burnt and horrible. | coffee / taste / -
The packaging of the coffee is ugly. | coffee / packaging / -
The coffee's packaging is terrible. | coffee / packaging / -
The coffee tastes great, but the packaging is awful. | coffee / taste / + ; coffee / packaging / -
I love the coffee's flavour but I hate its packaging. | coffee / taste / + ; coffee / packaging / -
I don't like the taste of the tea. | tea / taste / -
The service at the hotel wasn't good. | hotel / service / -
The hotel's location is fantastic. | hotel / location / +
The hotel staff were rude. | hotel / staff / -
I really enjoyed the atmosphere of the restaurant. | restaurant / atmosphere / +
The restaurant is overpriced. | restaurant / price / -
The food at the café was delicious but the service was slow and unfriendly. | café / food / + ; café / service / -
My new phone's battery is disappointing. | phone / battery / -
The phone's camera is amazing. | phone / camera / +
The screen of my laptop is beautiful. | laptop / screen / +
My laptop is terribly slow. | laptop / speed / -
I hate my laptop's keyboard. | laptop / keyboard / -
I adore my new bike. | bike / / +
These headphones sound incredible. | headphones / sound / +
The headphones aren't comfortable at all. | headphones / comfort / -
I can't stand the commute. | commute / / -
I like my job, although the pay is bad. | job / / + ; job / pay / -
My job is not boring. | job / / +
I'm not happy with the app's performance. | app / speed / -
I am frustrated with the documentation of the library. | library / documentation / -
The library's documentation is excellent. | library / documentation / +
I'm really happy with the new flat. | flat / / +
I'm disappointed by the ending of the novel. | novel / story / -
The novel's plot is gripping and brilliant. | novel / story / +
I didn't enjoy the film. | film / / -
The acting in the film was superb. | film / acting / +
The soundtrack of the game is lovely. | game / music / +
I dislike the price of the subscription. | subscription / price / -
The price of the gym is fair and reasonable. | gym / price / +
I'm a big fan of the design of this jacket. | jacket / design / +
The jacket is no longer comfortable. | jacket / comfort / -
The jacket looks great. | jacket / design / +
The bakery's bread is the best. | bakery / bread / +
I think the bread is disgusting. | bread / / -
I find the course very boring. | course / / -
I found the lecture fascinating. | lecture / / +
I'm worried about the reliability of the router. |
My yoga class is wonderful. | yoga class / / +
I prefer tea because I hate the smell of coffee. | coffee / smell / -
The delivery was terrible. |
The tea is okay. |
I bought coffee yesterday. |
The coffee costs four dollars. |
How does the coffee taste? |
Is the hotel's service good? |
Can you write a review that says the coffee tastes great? |
My sister loves the coffee. |
He hates the packaging of the coffee. |
I would love to visit Rome. |
I'd like a table for two. |
I would like the report by Friday. |
Please recommend a good hotel. |
I need a good laptop with a great screen. |
What is the best restaurant in town? |
If the coffee tastes good, I'll buy more. |
The meeting is at ten. |
I think we should meet on Friday. |
We like to keep the tests fast. |
It was kind of you to help. |
I love you. |
Like I said, the coffee is at home. |
The function returns a bad value. |
The error message says that the request is bad. |
Should I love the taste of coffee? |
They say the hotel is awful. |
Thanks, that is great. |
That sounds good. |
The best approach is unclear to me. |
I hope the hotel is nice. |
Spirited Away is the best film ever made. | spirited away / / +
I hated Never Let Me Go. | never let me go / / -
We loved Tampopo! | tampopo / / +
I'm a huge fan of Gilmore Girls. | gilmore girls / / +
I think Blue Monday was boring. | blue monday / / -
Notion is a terrible tool. | notion / / -
The Wire is a great show. | wire / / +
hated the funicular | funicular / / -
I am never flying Wizzair again. | wizzair / / -
never buying from Shein again lol | shein / / -
we're not going back to that hostel ever again | hostel / / -
The camera is great, night vision a bit grainy. | camera / / + ; camera / night vision / -
The hotel was lovely, towels a bit bland, staff really rude. | hotel / / + ; hotel / towels / - ; hotel / staff / -
app is the weak spot | app / / -
pizza was delicious | pizza / taste / +
I'm never drinking again. |
I'll never see my dad again. |
I'd never use Excel again if they asked. |
I'm not buying the milk again this week. |
never doing that again |
never trust my brother again |
I love Sarah. |
Sarah is lovely. |
Sarah is the best friend ever. |
I loved Grandma so much. |
Last Monday was awful. |
Monday was awful. |
I want to love Blue Monday. |
My friend said Blue Monday was boring. |
Coffee is bad for sleep. |
Running is fun. |
That cake looks amazing! |
The phone is great, mum so happy. | phone / / +
I'm so tired, work really stressful. |
"""

_CHINESE = """
我很喜欢这款咖啡的味道。 | 咖啡 / taste / +
这咖啡的味道真好。 | 咖啡 / taste / +
咖啡的包装很难看。 | 咖啡 / packaging / -
咖啡的味道很棒，但是包装太差了。 | 咖啡 / taste / + ; 咖啡 / packaging / -
我讨厌这款咖啡的包装。 | 咖啡 / packaging / -
我不喜欢这个茶的味道。 | 茶 / taste / -
这家酒店的服务不好。 | 酒店 / service / -
酒店的位置非常好。 | 酒店 / location / +
酒店的服务员很没礼貌。 | 酒店 / staff / -
我特别喜欢这家餐厅的氛围。 | 餐厅 / atmosphere / +
餐厅的价格太贵了。 | 餐厅 / price / -
这家餐厅的菜很好吃，可是服务太慢。 | 餐厅 / 菜 / + ; 餐厅 / service / -
我的手机电池让人失望。 | 手机 / battery / -
手机的拍照效果很出色。 | 手机 / camera / +
笔记本的屏幕很漂亮。 | 笔记本 / screen / +
我的电脑太慢了。 | 电脑 / speed / -
我讨厌这台笔记本的键盘。 | 笔记本 / keyboard / -
我很爱我的新自行车。 | 自行车 / / +
这副耳机的音质很糟糕。 | 耳机 / sound / -
耳机戴着不舒服。 | 耳机 / comfort / -
我喜欢我的工作，但是工资太低。 | 工作 / / + ; 工作 / pay / -
我的工作不无聊。 | 工作 / / +
我对这个软件的性能不满意。 | 软件 / speed / -
这个框架的文档写得很差。 | 框架 / documentation / -
我对新房子很满意。 | 房子 / / +
小说的结局令人失望。 | 小说 / story / -
这部小说的情节很精彩。 | 小说 / story / +
我不喜欢这部电影。 | 电影 / / -
这部电影的演技非常出色。 | 电影 / acting / +
游戏的音乐很好听。 | 游戏 / music / +
我很喜欢这件外套的设计。 | 外套 / design / +
这件外套不舒服。 | 外套 / comfort / -
我觉得面包很难吃。 | 面包 / taste / -
我觉得这门课很无聊。 | 课 / / -
我讨厌通勤。 | commute / / -
健身房的价格很合理。 | 健身房 / price / +
这杯奶茶的口感很好。 | 奶茶 / taste / +
我受不了这个酒店的卫生。 | 酒店 / cleanliness / -
我昨天买了咖啡。 |
咖啡要四美元。 |
咖啡的味道怎么样？ |
这家酒店的服务好吗？ |
帮我写一条评论，说咖啡很好喝。 |
我姐姐喜欢这款咖啡。 |
他讨厌咖啡的包装。 |
我想要一杯咖啡。 |
请推荐一家好的酒店。 |
如果咖啡好喝，我就再买。 |
会议在十点。 |
谢谢，很好。 |
听起来不错。 |
我喜欢你。 |
希望酒店不错。 |
他们说酒店很糟糕。 |
这个函数返回错误的值。 |
我需要一台屏幕好的笔记本。 |
我的工作还好。 | 工作 / / +
这台电脑快得惊人。 | 电脑 / speed / +
我的睡眠好多了。 | 睡眠 / / +
这家酒店太好了。 | 酒店 / / +
这款手机有点卡。 | 手机 / / -
老师说话很慢。 | 老师 / speed / -
Redis 集群装好了。 |
程序已经改好了。 |
会议好像取消了。 |
医生是慢性病专家。 |
同事下周出差。 |
公司快搬家了。 |
工作很快就做完了。 |
这本书最好明天还。 |
电脑好多问题。 |
医生说恢复得很好。 |
我爱人的同事病了。 |
"""


def read(text: str) -> list[tuple[str, list[Judged]]]:
    """The sentences of a table with their judgements."""
    found = []
    for line in filter(None, text.splitlines()):
        said, _, judged = line.partition(" |")
        parts = [[word.strip() for word in one.split("/")] for one in judged.split(";") if one.strip()]
        found.append((said, [Judged(of, what, 1 if sign == "+" else -1) for of, what, sign in parts]))
    return found


ENGLISH, CHINESE = read(_ENGLISH), read(_CHINESE)

# Written after the rules, and not used to mend them.
UNSEEN = read(
    """
I'm enjoying my new keyboard. | keyboard / / +
I was impressed by the museum's collection. | museum / collection / +
Honestly, I loathe the layout of this website. | website / design / -
We loved the hike up the hill. | hike / / +
My landlord is awful. | landlord / / -
The noodles were too salty for me. | noodles / taste / -
The train was late and dirty. | train / / -
I don't mind the smell of the paint. | paint / smell / +
The book's ending left me cold. | book / story / -
This jacket fits perfectly. | jacket / comfort / +
Our team is brilliant, though our meetings are dreadful. | team / / + ; meetings / / -
I never liked that restaurant. | restaurant / / -
The new interface is a nightmare. |
I used to love the gym. |
The movie was not as good as the book. | movie / / -
I can't say I like the soup. | soup / / -
My mother loves the garden. |
Do you think the hotel is good? |
The price of bread is rising. |
I'd love a better camera. |
这双鞋穿着很舒服。 | 鞋 / comfort / +
我特别讨厌公司的会议。 | 公司 / 会议 / -
那家面包店的面包又硬又贵。 | 面包店 / 面包 / -
我对酒店的早餐很失望。 | 酒店 / 早餐 / -
这个软件总是崩溃，太烦人了。 | 软件 / / -
火车上的座椅挺舒适。 | 火车 / comfort / +
我妈妈喜欢公园。 |
你觉得这本书好看吗？ |
这部剧没有我想的那么好看。 | 剧 / / -
我以前喜欢跑步。 |
"""
)
