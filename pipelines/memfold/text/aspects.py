"""What is judged of a thing, and what kind of thing it is: the words by which a statement and a question meet.

Small closed tables in English and Chinese. "Flavour", "taste" and "味道" are one aspect, and "the café on Mill Road" is
a place; whoever writes a statement down and whoever asks about it are read by the same tables, so that an exact filter
by type and aspect loses nothing to spelling. What the tables do not hold keeps its own word as its aspect, and has no
type (""). Knows nothing of sentiment, notes or searching.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from memfold.text.scripts import HAN
from memfold.text.terms import plain

# What of a thing is judged, by its words.
_ASPECTS = """
    taste: taste tastes flavor flavors flavour flavours tasting 味道 口味 口感 滋味
    smell: smell smells scent aroma 气味 香味 香气
    texture: texture crust consistency 质地
    packaging: packaging package wrapping box container 包装 盒子
    price: price prices pricing cost costs fee fees value expensive cheap pricey affordable 价格 价钱 价位
        性价比 费用 收费
    quality: quality craftsmanship workmanship build 质量 品质 做工
    service: service 服务 售后
    staff: staff waiter waiters waitress crew barista 服务员 店员 员工
    atmosphere: atmosphere ambience ambiance vibe mood decor 氛围 气氛 环境 装修
    location: location neighbourhood neighborhood area view 位置 地段 地理位置 风景
    cleanliness: cleanliness hygiene clean 卫生 清洁
    size: size capacity room space 大小 尺寸 空间 容量
    weight: weight heaviness 重量
    design: design look looks style appearance colour color interface layout ui 设计 外观 样子 颜色 造型
        款式 界面
    comfort: comfort comfortable fit seat seats cushioning 舒适度 舒适性 座椅
    sound: sound audio acoustics 声音 音质 音效
    screen: screen display resolution 屏幕 显示屏 画质
    battery: battery batteries 电池 续航
    camera: camera photos lens 相机 摄像头 拍照
    keyboard: keyboard keys trackpad 键盘
    speed: speed performance latency slow fast 速度 性能 速度快慢
    reliability: reliability stability durability bugs 可靠性 稳定性 耐用性
    usability: usability ease simplicity learning-curve 易用性 操作
    features: features feature functionality 功能
    documentation: documentation docs manual instructions 文档 说明书
    support: support helpdesk 客服 支持
    delivery: delivery shipping 配送 物流 快递 送货
    portion: portion portions serving 分量 份量
    menu: menu selection choice 菜单 选择
    story: story plot ending storyline 情节 剧情 故事 结局
    acting: acting cast performances 演技 表演
    writing: writing prose style-of-writing 文笔
    music: music soundtrack songs 音乐 配乐
    workload: workload hours overtime 工作量 加班
    pay: pay salary wage 工资 薪水 待遇
    commute: commute journey 通勤
    management: management leadership boss 管理 领导
    pace: pace pacing rhythm 节奏
    weather: weather climate 天气 气候
"""
# Verbs that name an aspect by themselves.
_VERBS = """
    taste: tastes tasted 尝起来 吃起来 喝起来
    smell: smells smelled smelt 闻起来
    design: looks looked 看起来
    sound: sounds sounded 听起来
"""

# Kinds of things, by the words that end their names.
_TYPES = """
    food: food dish meal breakfast lunch dinner pizza pasta soup salad bread cake cookie cookies chocolate
        cheese rice noodles sushi curry steak burger sandwich fruit apple apples snack dessert tofu
        dumplings 食物 菜 面 米饭 蛋糕 面包 水果 火锅 饺子 零食 披萨 汤 豆腐 巧克力
    drink: drink coffee tea espresso latte cappuccino beer wine juice water milk smoothie soda cocktail
        饮料 咖啡 茶 奶茶 啤酒 红酒 果汁 牛奶 拿铁
    place: place restaurant café cafe bar hotel shop store park city town village beach museum library gym
        flat apartment house office school hospital airport bakery market 地方 餐厅 饭店 酒店 咖啡馆
        咖啡店 商店 公园 城市 海滩 博物馆 图书馆 健身房 公寓 房子 办公室 学校 医院 机场 面包店
    device: device phone laptop computer tablet headphones earbuds camera watch printer monitor keyboard
        mouse tv speaker router vacuum fridge oven kettle machine bike bicycle car scooter 手机 电脑
        笔记本 平板 耳机 手表 打印机 显示器 电视 音箱 冰箱 烤箱 吸尘器 自行车 汽车 车
    clothing: clothing jacket coat shirt dress shoes boots sneakers jeans hat backpack bag 衣服 外套 裙子
        鞋 鞋子 靴子 裤子 帽子 背包 包
    software: software app application tool website library framework plugin editor program platform game
        api database 软件 应用 程序 网站 框架 工具 平台 游戏 数据库 编辑器
    media: media book novel film movie series show podcast song album magazine article play documentary 书
        小说 电影 电视剧 节目 播客 歌 专辑 杂志 纪录片
    work: work job project team company manager boss role meeting meetings sprint task colleague
        colleagues internship 工作 项目 团队 公司 经理 老板 会议 任务 同事 实习
    person: person friend mother father sister brother wife husband partner son daughter neighbour
        neighbor teacher doctor landlord mom mum dad parent kid child children family aunt uncle
        cousin 朋友 妈妈 爸爸 姐姐 妹妹 哥哥 弟弟 妻子 丈夫 儿子 女儿 邻居 老师 医生 房东
    animal: animal dog cat puppy kitten horse bird pet 狗 猫 小狗 小猫 马 鸟 宠物
    activity: activity running yoga swimming hiking climbing cooking painting gardening reading dancing
        cycling training workout 跑步 瑜伽 游泳 爬山 做饭 画画 园艺 阅读 跳舞 骑车 锻炼
    study: study course class exam lecture thesis degree homework lesson lessons 课程 课 考试 讲座 论文
        学位 作业
    travel: travel trip flight train journey holiday vacation tour bus 旅行 旅程 航班 火车 假期 公交
    health: health sleep diet treatment therapy medication 睡眠 饮食 治疗 药
"""


def _table(text: str) -> dict[str, str]:
    """Each word of a table by the name of its entry, which ends in a colon."""
    found: dict[str, str] = {}
    name = ""
    for word in text.split():
        if word.endswith(":"):
            name = word[:-1]
        else:
            found[word] = name
    return found


ASPECTS = _table(_ASPECTS)
TYPES = _table(_TYPES)
_BY_WORD = ASPECTS | _table(_VERBS)

_HAN = re.compile(f"[{HAN}]+")
_WORD = re.compile(rf"[^\W_{HAN}]+(?:[-'][^\W_{HAN}]+)*")
_LEAD = re.compile(r"^(?:the|this|that|these|those|my|our|its|their|his|her|your|a|an|some|any|all)\s+")
_LEAD_ZH = re.compile(r"^(?:这|那|我|我们|我家|他|她|它)[个家款部本台双杯种次件辆门副张间条份碗]?的?")


def aspect(words: str | None) -> str:
    """The aspect that some words name: its entry in the table, or the words themselves, or "" for none."""
    said = plain(words or "")
    if said in _BY_WORD:
        return _BY_WORD[said]
    found = [name for name, _ in aspects(said)]
    return found[-1] if found else bare(said)


def aspects(text: str) -> Iterator[tuple[str, str]]:
    """The aspects of the table that stand in a text, in order, each with the word that named it."""
    for match in _pattern().finditer(text.lower()):
        yield _BY_WORD[match[0]], match[0]


def kind(name: str) -> str:
    """What kind of thing a name is of, by its last word that the table holds; "" where it holds none."""
    lowered = name.lower()
    # "the shop of my brother" is a shop.
    head = re.split(r"\s(?:of|from|in|at|on|by|with|for)\s", lowered, maxsplit=1)[0]
    for part in dict.fromkeys((head, lowered)):
        for word in reversed(_WORD.findall(part)):
            found = TYPES.get(word) or TYPES.get(word.removesuffix("s"))
            if found:
                return found
    for run in reversed(_HAN.findall(lowered)):
        for size in (4, 3, 2, 1):
            if run[-size:] in TYPES:
                return TYPES[run[-size:]]
    return ""


def types(text: str) -> set[str]:
    """The kinds that a text names as such or by a thing of theirs: "drinks", "coffee", "咖啡"."""
    lowered = text.lower()
    found = {TYPES.get(word) or TYPES.get(word.removesuffix("s"), "") for word in _WORD.findall(lowered)}
    # A single character is part of too many words.
    found |= {of for word, of in TYPES.items() if len(word) > 1 and _HAN.fullmatch(word) and word in lowered}
    return found - {""}


def bare(name: str) -> str:
    """A name without what points at it: "the Coffee" and "my coffee" are "coffee"."""
    said = plain(name)
    while (shorter := _LEAD_ZH.sub("", _LEAD.sub("", said))) and shorter != said:
        said = shorter
    return said


@cache
def _pattern() -> re.Pattern[str]:
    words = sorted(_BY_WORD, key=len, reverse=True)
    alphabetic = "|".join(re.escape(word) for word in words if not _HAN.fullmatch(word))
    han = "|".join(word for word in words if _HAN.fullmatch(word))
    return re.compile(rf"\b(?:{alphabetic})\b|{han}")
