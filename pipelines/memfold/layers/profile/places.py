"""Places of the world by name, in English and Chinese: countries, their parts, and big cities. "We moved to Hamburg"
is a household, "we moved to PostgreSQL" is not, and only the name tells. A name that is missing costs an entry; so
what is also a product's or a word's is left out (Phoenix, Java, Reading, Ventura)."""

from __future__ import annotations

_NAMES = """
Afghanistan, Albania, Algeria, Argentina, Armenia, Australia, Austria, Azerbaijan, Bangladesh, Belarus,
Belgium, Bolivia, Bosnia, Botswana, Brazil, Britain, Bulgaria, Cambodia, Cameroon, Canada, Chile, China,
Colombia, Costa Rica, Croatia, Cuba, Cyprus, Czechia, Denmark, Ecuador, Egypt, England, Estonia, Ethiopia,
Fiji, Finland, France, Germany, Ghana, Greece, Guatemala, Honduras, Hungary, Iceland, India, Indonesia,
Iran, Iraq, Ireland, Israel, Italy, Jamaica, Japan, Kazakhstan, Kenya, Kosovo, Kuwait, Laos, Latvia,
Lebanon, Liechtenstein, Lithuania, Luxembourg, Malaysia, Malta, Mauritius, Mexico, Moldova, Mongolia,
Montenegro, Montserrat, Morocco, Mozambique, Myanmar, Namibia, Nepal, Netherlands, New Zealand, Nicaragua,
Nigeria, Northern Ireland, Norway, Oman, Pakistan, Palau, Palestine, Panama, Paraguay, Peru, Philippines,
Poland, Portugal, Puerto Rico, Qatar, Romania, Russia, Rwanda, Saudi Arabia, Scotland, Senegal, Serbia,
Singapore, Slovakia, Slovenia, South Africa, South Korea, Spain, Sri Lanka, Sweden, Switzerland, Syria,
Taiwan, Tanzania, Thailand, Tunisia, UAE, UK, US, USA, Uganda, Ukraine, United Arab Emirates,
United Kingdom, United States, Uruguay, Uzbekistan, Venezuela, Vietnam, Wales, Zambia, Zimbabwe,
Alabama, Alaska, Alberta, Andalusia, Arizona, Arkansas, Bavaria, British Columbia, Brittany, California,
Catalonia, Colorado, Connecticut, Cornwall, Delaware, Florida, Hawaii, Idaho, Illinois, Indiana, Iowa,
Kansas, Kentucky, Louisiana, Maine, Manitoba, Maryland, Massachusetts, Michigan, Minnesota, Mississippi,
Missouri, Montana, Nebraska, Nevada, New Hampshire, New Jersey, New Mexico, New South Wales, New York,
Normandy, North Carolina, North Dakota, Nova Scotia, Ohio, Oklahoma, Ontario, Oregon, Pennsylvania,
Provence, Quebec, Queensland, Rhode Island, Saskatchewan, Saxony, Sicily, South Carolina, South Dakota,
Sussex, Tasmania, Tennessee, Texas, Tuscany, Utah, Vermont, Virginia, Washington, West Virginia, Wisconsin,
Wyoming, Yorkshire,
Aberdeen, Abu Dhabi, Accra, Adelaide, Addis Ababa, Algiers, Almaty, Amman, Amsterdam, Ankara, Antwerp,
Athens, Atlanta, Auckland, Augsburg, Austin, Baghdad, Baku, Baltimore, Bangalore, Bangkok, Barcelona, Bari,
Basel, Beijing, Beirut, Belfast, Belgrade, Bergen, Berkeley, Berlin, Bern, Bilbao, Birmingham, Bochum,
Bogotá, Bologna, Bonn, Bordeaux, Boston, Boulder, Bradford, Bratislava, Bremen, Brighton, Brisbane, Bristol,
Brno, Brooklyn, Brussels, Bucharest, Budapest, Buenos Aires, Buffalo, Busan, Cairo, Calgary, Cambridge,
Canberra, Cape Town, Caracas, Cardiff, Casablanca, Charlotte, Chengdu, Chennai, Chicago, Chongqing,
Christchurch, Cincinnati, Cleveland, Cologne, Colombo, Copenhagen, Coventry, Dakar, Dallas, Damascus, Delhi,
Denver, Detroit, Dhaka, Doha, Dortmund, Dresden, Dubai, Dublin, Dundee, Durban, Durham, Düsseldorf,
Edinburgh, Edmonton, Eindhoven, Essen, Exeter, Frankfurt, Freiburg, Galway, Gdańsk, Ghent, Glasgow,
Gothenburg, Göttingen, Granada, Graz, Grenoble, Groningen, Guadalajara, Guangzhou, Haifa, Halifax, Hamburg,
Hamilton, Hangzhou, Hanoi, Hanover, Havana, Heidelberg, Helsinki, Ho Chi Minh City, Hobart, Hong Kong,
Honolulu, Houston, Hyderabad, Indianapolis, Innsbruck, Istanbul, Jeddah, Jerusalem, Johannesburg, Karachi,
Karlsruhe, Kiel, Kathmandu, Kolkata, Kraków, Krakow, Kuala Lumpur, Kyiv, Kyoto, Lagos, Lahore, Las Vegas,
Lausanne, Leeds, Leicester, Leiden, Leipzig, Lille, Lima, Lisbon, Liverpool, Ljubljana, Los Angeles,
Louisville, Lyon, Madrid, Mainz, Malaga, Málaga, Malmö, Manchester, Manhattan, Manila, Mannheim, Marrakesh,
Marseille, Melbourne, Memphis, Mexico City, Miami, Milan, Milwaukee, Minneapolis, Minsk, Montevideo,
Montpellier, Montreal, Moscow, Mumbai, Munich, Münster, Nairobi, Nanjing, Nantes, Naples, Nashville,
New Delhi, New Orleans, New York City, Newcastle, Norwich, Nottingham, Nuremberg, NYC, Oakland, Odesa,
Oklahoma City, Orlando, Osaka, Oslo, Ottawa, Oxford, Palermo, Paris, Perth, Philadelphia, Pittsburgh,
Plymouth, Porto, Portland, Potsdam, Prague, Pune, Raleigh, Regensburg, Rennes, Reykjavik, Riga,
Rio de Janeiro, Riyadh, Rome, Rotterdam, Sacramento, Salt Lake City, Salzburg, San Antonio, San Diego,
San Francisco, San Jose, San Juan, Santiago, Sarajevo, Seattle, Seoul, Seville, Shanghai, Sheffield,
Shenzhen, Sofia, Southampton, St. Louis, St. Petersburg, Stockholm, Strasbourg, Stuttgart, Suzhou, Swansea,
Sydney, São Paulo, Taipei, Tallinn, Tampa, Tbilisi, Tehran, Tel Aviv, The Hague, Thessaloniki, Tianjin,
Tokyo, Toronto, Toulouse, Trieste, Trondheim, Tucson, Tulsa, Turin, Uppsala, Utrecht, Valencia, Vancouver,
Venice, Verona, Vienna, Vilnius, Warsaw, Washington, Wellington, Winnipeg, Wrocław, Wuhan, Würzburg, Xi'an,
Yerevan, York, Zagreb, Zaragoza, Zurich, Zürich,
北京, 上海, 天津, 重庆, 河北, 山西, 辽宁, 吉林, 黑龙江, 江苏, 浙江, 安徽, 福建, 江西, 山东, 河南, 湖北,
湖南, 广东, 海南, 四川, 贵州, 云南, 陕西, 甘肃, 青海, 台湾, 内蒙古, 广西, 西藏, 宁夏, 新疆, 香港, 澳门,
广州, 深圳, 杭州, 南京, 武汉, 成都, 西安, 苏州, 长沙, 青岛, 大连, 厦门, 宁波, 郑州, 沈阳, 长春, 哈尔滨,
昆明, 贵阳, 南宁, 福州, 南昌, 合肥, 济南, 太原, 石家庄, 兰州, 西宁, 银川, 乌鲁木齐, 拉萨, 海口, 三亚, 无锡,
常州, 南通, 扬州, 温州, 绍兴, 嘉兴, 金华, 泉州, 珠海, 佛山, 东莞, 中山, 惠州, 烟台, 威海, 洛阳, 桂林, 丽江,
大理, 台北, 高雄, 台中, 台南, 中国, 美国, 英国, 法国, 德国, 日本, 韩国, 加拿大, 澳大利亚, 澳洲, 新西兰,
新加坡, 马来西亚, 泰国, 越南, 印度, 印尼, 菲律宾, 意大利, 西班牙, 葡萄牙, 荷兰, 比利时, 瑞士, 瑞典, 挪威,
丹麦, 芬兰, 奥地利, 爱尔兰, 波兰, 捷克, 希腊, 土耳其, 俄罗斯, 巴西, 阿根廷, 墨西哥, 埃及, 南非, 阿联酋,
加州, 得州, 纽约, 洛杉矶, 旧金山, 西雅图, 波士顿, 芝加哥, 休斯顿, 华盛顿, 费城, 迈阿密, 圣何塞, 圣地亚哥,
多伦多, 温哥华, 蒙特利尔, 渥太华, 悉尼, 墨尔本, 布里斯班, 珀斯, 奥克兰, 伦敦, 曼彻斯特, 伯明翰, 利兹,
爱丁堡, 格拉斯哥, 牛津, 剑桥, 都柏林, 巴黎, 里昂, 马赛, 柏林, 慕尼黑, 汉堡, 法兰克福, 科隆, 斯图加特,
维也纳, 苏黎世, 日内瓦, 巴塞尔, 阿姆斯特丹, 鹿特丹, 布鲁塞尔, 罗马, 米兰, 都灵, 佛罗伦萨, 威尼斯, 马德里,
巴塞罗那, 里斯本, 斯德哥尔摩, 哥本哈根, 奥斯陆, 赫尔辛基, 布拉格, 华沙, 布达佩斯, 雅典, 伊斯坦布尔, 莫斯科,
圣彼得堡, 东京, 大阪, 京都, 横滨, 名古屋, 福冈, 札幌, 首尔, 釜山, 曼谷, 清迈, 河内, 胡志明市, 吉隆坡,
雅加达, 马尼拉, 新德里, 孟买, 迪拜, 开罗, 开普敦, 约翰内斯堡, 圣保罗, 墨西哥城
"""


def _bare(name: str) -> str:
    return name.strip().casefold().replace(".", "").removeprefix("the ").removesuffix("市").removesuffix("省")


_KNOWN = frozenset(map(_bare, _NAMES.split(",")))


def known(place: str) -> bool:
    """Whether a place is known by its name or by that of what it lies in: "Hamburg", "Otley, England", "杭州市"."""
    return any(_bare(part) in _KNOWN for part in place.split(","))
