interface FoundLink {
  type: 'url' | 'email'
  offset: number
  length: number
}

// Of U+2000–U+206F only the two joiners and the dashes may stand in a link: U+2060 (word joiner) ends one.
const general = String.raw`\p{Z}\u2000-\u200b\u200e\u200f\u2016-\u206f`
const domainRun = new RegExp(String.raw`(?:[.A-Za-z0-9_~@-]|[^\0-\u00bf${general}])*`, 'uy')
const domainSymbol = new RegExp(String.raw`[.A-Za-z0-9_~-]|[^\0-\u00bf${general}]`, 'u')
const userSymbol = new RegExp(String.raw`[^\n/\[\]{}()'\x60<>"@«»${general}]`, 'u')
const pathRun = new RegExp(String.raw`[^\n<>"«»${general}]*`, 'uy')
const portRun = /:0*([1-9]\d{0,4})(?!\d)/uy
const schemeSymbol = /[A-Za-z0-9+-]|[^\0-\x7f\p{Z}]/u
const badEnd = /[.:;,('?!`]+$/u
const wordEnd = /[\p{L}\p{N}_/#@]$/u

/** How far back of a dot a link may start; tdlib has no such bound, but no link that people see is longer. */
const reach = 512

/** Finds web addresses, with or without a scheme, and e-mail addresses, by the rules of tdlib's find_urls. */
export function findLinks(text: string): FoundLink[] {
  const found: FoundLink[] = []
  let from = 0
  for (let dot = text.indexOf('.'); dot >= 0; dot = text.indexOf('.', from)) {
    if (dot + 1 >= text.length) break
    from = text[dot + 1] === ' ' ? dot + 2 : takeLink(text, from, dot, found)
  }
  return found
}

/** Looks at the candidate around one dot and returns where to go on. */
function takeLink(text: string, from: number, dot: number, found: FoundLink[]): number {
  const floor = Math.max(from, dot - reach)
  const domainEnd = run(domainRun, text, dot)
  const at = text.lastIndexOf('@', domainEnd - 1)
  const hasUser = at >= dot
  let start = back(domainSymbol, text, floor, dot)
  if (hasUser) start = back(userSymbol, text, floor, start)
  const stop = linkEnd(text, dot, domainEnd)
  const begin = linkStart(text, floor, start, hasUser)
  if (begin === undefined) return Math.max(text.lastIndexOf('.', stop - 1) + 1, dot + 1)
  if (stop > dot + 1) addLink(text, begin, stop, found)
  let next = stop
  while (text[next] === '.') next++
  return Math.max(next, dot + 1)
}

function run(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  pattern.test(text)
  return Math.max(pattern.lastIndex, from)
}

/** The start of the run of allowed symbols that ends before `to`. */
function back(allowed: RegExp, text: string, floor: number, to: number): number {
  let start = to
  while (start > floor) {
    const low = text.charCodeAt(start - 1)
    const previous = low >= 0xdc00 && low <= 0xdfff && start - 1 > floor ? start - 2 : start - 1
    if (!allowed.test(text.slice(previous, start))) break
    start = previous
  }
  return start
}

function linkEnd(text: string, dot: number, domainEnd: number): number {
  portRun.lastIndex = domainEnd
  const port = portRun.exec(text)
  let stop = port && Number(port[1]) <= 65535 ? domainEnd + port[0].length : domainEnd
  if (/[/?#]/u.test(text[stop] ?? '')) {
    const path = text.slice(stop + 1, run(pathRun, text, stop + 1)).replace(badEnd, '')
    if (text[stop] === '/' || path !== '') stop += 1 + path.length
  }
  while (stop > dot + 1 && text[stop - 1] === '.') stop--
  return stop
}

/** Where the link starts with its user part and scheme; undefined where what stands before makes it none. */
function linkStart(
  text: string,
  floor: number,
  start: number,
  hasUser: boolean,
): number | undefined {
  let begin = start
  if (begin > floor && text[begin - 1] === '@') {
    if (hasUser) return undefined
    begin = back(userSymbol, text, floor, begin - 1)
    if (begin === start - 1) return undefined
  }
  const before = text.slice(floor, begin)
  if (before.length >= 6 && before.endsWith('://')) {
    const colon = begin - '://'.length
    const name = text.slice(back(schemeSymbol, text, floor, colon), colon).toLowerCase()
    const scheme = schemeLength(name)
    return scheme === undefined ? undefined : begin - scheme
  }
  return wordEnd.test(before) ? undefined : begin
}

function schemeLength(scheme: string): number | undefined {
  if (scheme.endsWith('http') && scheme !== 'shttp') return 'http://'.length
  if (scheme.endsWith('https')) return 'https://'.length
  if (scheme.endsWith('ftp') && scheme !== 'tftp' && scheme !== 'sftp') return 'ftp://'.length
  return undefined
}

function addLink(text: string, begin: number, stop: number, found: FoundLink[]): void {
  const raw = text.slice(begin, stop)
  const mail = raw.startsWith('mailto:') ? raw.slice(7) : raw
  if (isEmail(mail)) {
    found.push({ type: 'email', offset: stop - mail.length, length: mail.length })
    return
  }
  const link = shownLink(raw)
  if (link !== '') found.push({ type: 'url', offset: begin, length: link.length })
}

/** Whether Telegram takes the text for an e-mail address. */
function isEmail(text: string): boolean {
  const parts = text.split('@')
  const [user = '', domain = ''] = parts
  if (parts.length !== 2) return false
  const names = user.split(/[.+]/u)
  const last = names.pop() ?? ''
  const labels = domain.split('.')
  const top = labels.pop() ?? ''
  return (
    names.length <= 10 &&
    names.every((name) => /^[\w-]{0,26}$/u.test(name)) &&
    /^[\w-]{1,35}$/u.test(last) &&
    labels.length >= 1 &&
    labels.length <= 6 &&
    labels.every((label) => /^[A-Za-z0-9](?:[\w-]{0,28}[A-Za-z0-9])?$/u.test(label)) &&
    /^[A-Za-z]{2,8}$/u.test(top)
  )
}

/** The part of a candidate that is shown as a link; empty where it is none. */
function shownLink(raw: string): string {
  const scheme = /^(?:https?|ftp):\/\//iu.exec(raw)?.[0] ?? ''
  const rest = raw.slice(scheme.length)
  const authority = /^[^/?#]*/u.exec(rest)?.[0] ?? ''
  const afterUser = authority.slice(authority.indexOf('@') + 1)
  const domain = afterUser.replace(/:[^:]*$/u, '')
  if (!isDomain(domain, scheme !== '')) return ''
  const path = balanced(rest.slice(authority.length)).replace(badEnd, '')
  return scheme + authority + path
}

/** The path up to the first closing bracket that nothing opened: `(see x.com/a)` ends before the bracket. */
function balanced(path: string): string {
  const open = { ')': 0, ']': 0, '}': 0 }
  for (let at = 0; at < path.length; at++) {
    const char = path[at]
    if (char === '(') open[')']++
    else if (char === '[') open[']']++
    else if (char === '{') open['}']++
    else if ((char === ')' || char === ']' || char === '}') && --open[char] < 0)
      return path.slice(0, at)
  }
  return path
}

const isByte = (label: string): boolean =>
  /^(?:0|[1-9]\d{0,2})$/u.test(label) && Number(label) < 256

function isDomain(domain: string, hasScheme: boolean): boolean {
  const labels = domain.split('.')
  if (labels.length < 2) return false
  if (labels.some((label) => label === '' || Buffer.byteLength(label) >= 64 || label.endsWith('-')))
    return false
  if (labels.length === 4 && labels.every(isByte)) return true
  if (/^[\d.]*$/u.test(domain)) return false
  const top = labels.at(-1) ?? ''
  return isTop(top, hasScheme) && !(labels.at(-2) ?? '').includes('_')
}

function isTop(top: string, hasScheme: boolean): boolean {
  if ([...top].length < 2) return false
  if (top.startsWith('xn--')) return /^xn--[A-Za-z0-9]{2,}$/u.test(top)
  if (/[_-]/u.test(top)) return false
  return hasScheme || isKnownTop(top)
}

/** `word.Next` is a sentence, `word.NEXT` and `word.next` are domains. */
function isKnownTop(top: string): boolean {
  const lower = top.toLowerCase()
  if (lower !== top && lower.slice(1) === top.slice(1)) return false
  return topLevelDomains.has(lower)
}

/** What Telegram makes of a link: its canonical form, or why it is none (tdlib's wording). */
type CheckedLink = { ok: true; url: string } | { ok: false; why: string }

const refused = (why: string): CheckedLink => ({ ok: false, why })

/**
 * Checks a link as Telegram does before it becomes a text link or a button: http, https, tg and ton only,
 * a host with a dot in it, a sane port. A link without a scheme is taken as http.
 */
export function checkLink(raw: string): CheckedLink {
  const link = raw.trim()
  if (link === '') return refused('URL host is empty')
  const internal = /^(tg|ton):(?:\/\/)?(.*)$/isu.exec(link)
  if (internal) return checkInternalLink((internal[1] ?? '').toLowerCase(), internal[2] ?? '')
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//iu.exec(link)
  const protocol = (scheme?.[1] ?? 'http').toLowerCase()
  if (protocol !== 'http' && protocol !== 'https') return refused('Unsupported URL protocol')
  return checkWebLink(protocol, scheme ? link.slice(scheme[0].length) : link)
}

function checkInternalLink(scheme: string, rest: string): CheckedLink {
  const [, host = '', query = ''] = /^([^/?#]*)(.*)$/su.exec(rest) ?? []
  if (host === '') return refused('URL host is empty')
  if (!/^[A-Za-z0-9_-]+$/u.test(host)) return refused('Unallowed characters in URL host')
  return { ok: true, url: `${scheme}://${host.toLowerCase()}${query}` }
}

function checkWebLink(protocol: string, rest: string): CheckedLink {
  const [, authority = '', query = ''] = /^([^/?#]*)(.*)$/su.exec(rest) ?? []
  const at = authority.lastIndexOf('@')
  const user = at < 0 ? '' : authority.slice(0, at + 1)
  const [, host = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/su.exec(authority.slice(at + 1)) ?? []
  if (host === '') return refused('URL host is empty')
  if (port !== undefined && !(/^\d{1,5}$/u.test(port) && Number(port) > 0 && Number(port) < 65536))
    return refused('Wrong port number specified in the URL')
  if (!/^(?:\[[0-9a-f:.]+\]|(?:[\p{L}\p{N}\p{M}.~_!$,*'();&+=%-])+)$/iu.test(host))
    return refused('Disallowed character in URL host')
  if (!host.includes('.') && !host.startsWith('[')) return refused('Wrong HTTP URL')
  const path = query.startsWith('/') ? query : `/${query}`
  const shownPort = port === undefined ? '' : `:${Number(port)}`
  return { ok: true, url: `${protocol}://${user}${host.toLowerCase()}${shownPort}${encode(path)}` }
}

/** Blanks and control characters are percent-encoded, everything else is kept. */
const encode = (path: string): string =>
  path.replace(/[\p{Cc}\p{Z}<>"]/gu, (char) => encodeURIComponent(char))

/** The user whom a `tg://user?id=…` link names. */
export function linkedUser(link: string): number | undefined {
  const match = /^tg:(?:\/\/)?user\?(?:.*&)?id=(\d{1,15})(?:&|$)/iu.exec(link.trim())
  return match ? Number(match[1]) : undefined
}

/** What Telegram hands on of a link to a bot: up to 64 of these characters, https://core.telegram.org/bots/features */
const parameterForm = /^[A-Za-z0-9_-]{0,64}$/u

/** The start parameter of a link to this bot, '' where it has none; undefined for any other link. */
export function startParameter(url: string, username: string): string | undefined {
  const link = URL.canParse(url) ? new URL(url) : undefined
  const isBot = link?.pathname.slice(1).toLowerCase() === username.toLowerCase()
  if (link?.protocol !== 'https:' || link.host !== 't.me' || !isBot) return undefined
  const parameter = link.searchParams.get('start') ?? ''
  return parameterForm.test(parameter) ? parameter : ''
}

/** Top-level domains of the IANA root zone: a bare `name.tld` becomes a link only with one of these. */
const topLevelDomains: ReadonlySet<string> = new Set(
  `
aaa aarp abarth abb abbott abbvie abc able abogado abudhabi ac academy accenture accountant
accountants aco actor ad ads adult ae aeg aero aetna af afl africa ag agakhan agency ai aig airbus
airforce airtel akdn al alfaromeo alibaba alipay allfinanz allstate ally alsace alstom am amazon
americanexpress americanfamily amex amfam amica amsterdam analytics android anquan anz ao aol
apartments app apple aq aquarelle ar arab aramco archi army arpa art arte as asda asia associates
at athleta attorney au auction audi audible audio auspost author auto autos avianca aw aws ax axa
az azure ba baby baidu banamex bananarepublic band bank bar barcelona barclaycard barclays
barefoot bargains baseball basketball bauhaus bayern bb bbc bbt bbva bcg bcn bd be beats beauty
beer bentley berlin best bestbuy bet bf bg bh bharti bi bible bid bike bing bingo bio biz bj black
blackfriday blockbuster blog bloomberg blue bm bms bmw bn bnpparibas bo boats boehringer bofa bom
bond boo book booking bosch bostik boston bot boutique box br bradesco bridgestone broadway broker
brother brussels bs bt build builders business buy buzz bv bw by bz bzh ca cab cafe cal call
calvinklein cam camera camp canon capetown capital capitalone car caravan cards care career
careers cars casa case cash casino cat catering catholic cba cbn cbre cbs cc cd center ceo cern cf
cfa cfd cg ch chanel channel charity chase chat cheap chintai christmas chrome church ci cipriani
circle cisco citadel citi citic city cityeats ck cl claims cleaning click clinic clinique clothing
cloud club clubmed cm cn co coach codes coffee college cologne com comcast commbank community
company compare computer comsec condos construction consulting contact contractors cooking
cookingchannel cool coop corsica country coupon coupons courses cpa cr credit creditcard
creditunion cricket crown crs cruise cruises cu cuisinella cv cw cx cy cymru cyou cz dabur dad
dance data date dating datsun day dclk dds de deal dealer deals degree delivery dell deloitte
delta democrat dental dentist desi design dev dhl diamonds diet digital direct directory discount
discover dish diy dj dk dm dnp do docs doctor dog domains dot download drive dtv dubai dunlop
dupont durban dvag dvr dz earth eat ec eco edeka edu education ee eg email emerck energy engineer
engineering enterprises epson equipment er ericsson erni es esq estate et etisalat eu eurovision
eus events exchange expert exposed express extraspace fage fail fairwinds faith family fan fans
farm farmers fashion fast fedex feedback ferrari ferrero fi fiat fidelity fido film final finance
financial fire firestone firmdale fish fishing fit fitness fj fk flickr flights flir florist
flowers fly fm fo foo food foodnetwork football ford forex forsale forum foundation fox fr free
fresenius frl frogans frontdoor frontier ftr fujitsu fun fund furniture futbol fyi ga gal gallery
gallo gallup game games gap garden gay gb gbiz gd gdn ge gea gent genting george gf gg ggee gh gi
gift gifts gives giving gl glass gle global globo gm gmail gmbh gmo gmx gn godaddy gold goldpoint
golf goo goodyear goog google gop got gov gp gq gr grainger graphics gratis green gripe grocery
group gs gt gu guardian gucci guge guide guitars guru gw gy hair hamburg hangout haus hbo hdfc
hdfcbank health healthcare help helsinki here hermes hgtv hiphop hisamitsu hitachi hiv hk hkt hm
hn hockey holdings holiday homedepot homegoods homes homesense honda horse hospital host hosting
hot hoteles hotels hotmail house how hr hsbc ht hu hughes hyatt hyundai ibm icbc ice icu id ie
ieee ifm ikano il im imamat imdb immo immobilien in inc industries infiniti info ing ink institute
insurance insure int international intuit investments io ipiranga iq ir irish is ismaili ist
istanbul it itau itv jaguar java jcb je jeep jetzt jewelry jio jll jm jmp jnj jo jobs joburg jot
joy jp jpmorgan jprs juegos juniper kaufen kddi ke kerryhotels kerrylogistics kerryproperties kfh
kg kh ki kia kids kim kinder kindle kitchen kiwi km kn koeln komatsu kosher kp kpmg kpn kr krd
kred kuokgroup kw ky kyoto kz la lacaixa lamborghini lamer lancaster lancia land landrover lanxess
lasalle lat latino latrobe law lawyer lb lc lds lease leclerc lefrak legal lego lexus lgbt li lidl
life lifeinsurance lifestyle lighting like lilly limited limo lincoln linde link lipsy live living
lk llc llp loan loans locker locus lol london lotte lotto love lpl lplfinancial lr ls lt ltd ltda
lu lundbeck luxe luxury lv ly ma macys madrid maif maison makeup man management mango map market
marketing markets marriott marshalls maserati mattel mba mc mckinsey md me med media meet
melbourne meme memorial men menu merckmsd mg mh miami microsoft mil mini mint mit mitsubishi mk ml
mlb mls mm mma mn mo mobi mobile moda moe moi mom monash money monster mormon mortgage moscow moto
motorcycles mov movie mp mq mr ms msd mt mtn mtr mu museum music mutual mv mw mx my mz na nab
nagoya name natura navy nba nc ne nec net netbank netflix network neustar new news next nextdirect
nexus nf nfl ng ngo nhk ni nico nike nikon ninja nissan nissay nl no nokia northwesternmutual
norton now nowruz nowtv np nr nra nrw ntt nu nyc nz obi observer office okinawa olayan olayangroup
oldnavy ollo om omega one ong onion onl online ooo open oracle orange org organic origins osaka
otsuka ott ovh pa page panasonic paris pars partners parts party passagens pay pccw pe pet pf
pfizer pg ph pharmacy phd philips phone photo photography photos physio pics pictet pictures pid
pin ping pink pioneer pizza pk pl place play playstation plumbing plus pm pn pnc pohl poker
politie porn post pr pramerica praxi press prime pro prod productions prof progressive promo
properties property protection pru prudential ps pt pub pw pwc py qa qpon quebec quest racing
radio re read realestate realtor realty recipes red redstone redumbrella rehab reise reisen reit
reliance ren rent rentals repair report republican rest restaurant review reviews rexroth rich
richardli ricoh ril rio rip ro rocher rocks rodeo rogers room rs rsvp ru rugby ruhr run rw rwe
ryukyu sa saarland safe safety sakura sale salon samsclub samsung sandvik sandvikcoromant sanofi
sap sarl sas save saxo sb sbi sbs sc sca scb schaeffler schmidt scholarships school schule schwarz
science scot sd se search seat secure security seek select sener services seven sew sex sexy sfr
sg sh shangrila sharp shaw shell shia shiksha shoes shop shopping shouji show showtime si silk
sina singles site sj sk ski skin sky skype sl sling sm smart smile sn sncf so soccer social
softbank software sohu solar solutions song sony soy spa space sport spot sr srl ss st stada
staples star statebank statefarm stc stcgroup stockholm storage store stream studio study style su
sucks supplies supply support surf surgery suzuki sv swatch swiss sx sy sydney systems sz tab
taipei talk taobao target tatamotors tatar tattoo tax taxi tc tci td tdk team tech technology tel
temasek tennis teva tf tg th thd theater theatre tiaa tickets tienda tiffany tips tires tirol tj
tjmaxx tjx tk tkmaxx tl tm tmall tn to today tokyo tools top toray toshiba total tours town toyota
toys tr trade trading training travel travelchannel travelers travelersinsurance trust trv tt tube
tui tunes tushu tv tvs tw tz ua ubank ubs ug uk unicom university uno uol ups us uy uz va
vacations vana vanguard vc ve vegas ventures verisign versicherung vet vg vi viajes video vig
viking villas vin vip virgin visa vision viva vivo vlaanderen vn vodka volkswagen volvo vote
voting voto voyage vu vuelos wales walmart walter wang wanggou watch watches weather
weatherchannel webcam weber website wedding weibo weir wf whoswho wien wiki williamhill win
windows wine winners wme wolterskluwer woodside work works world wow ws wtc wtf xbox xerox xfinity
xihuan xin xxx xyz yachts yahoo yamaxun yandex ye yodobashi yoga yokohama you youtube yt yun za
zappos zara zero zip zm zone zuerich zw vermögensberater vermögensberatung ελ ευ бг бел дети ею
католик ком мкд мон москва онлайн орг рус рф сайт срб укр қаз հայ ישראל קום ابوظبي اتصالات ارامكو
الاردن البحرين الجزائر السعودية السعوديه السعودیة السعودیۃ العليان المغرب اليمن امارات ايران ایران
بارت بازار بيتك بھارت تونس سودان سوريا سورية شبكة عراق عرب عمان فلسطين قطر كاثوليك كوم مصر مليسيا
موريتانيا موقع همراه پاكستان پاکستان ڀارت कॉम नेट भारत भारतम् भारोत संगठन বাংলা ভারত ভাৰত ਭਾਰਤ
ભારત ଭାରତ இந்தியா இலங்கை சிங்கப்பூர் భారత్ ಭಾರತ ഭാരതം ලංකා คอม ไทย ລາວ გე みんな アマゾン クラウド グーグル コム
ストア セール ファッション ポイント 世界 中信 中国 中國 中文网 亚马逊 企业 佛山 信息 健康 八卦 公司 公益 台湾 台灣 商城 商店 商标 嘉里 嘉里大酒店 在线 大拿 天主教 娱乐
家電 广东 微博 慈善 我爱你 手机 招聘 政务 政府 新加坡 新闻 时尚 書籍 机构 淡马锡 游戏 澳門 澳门 点看 移动 组织机构 网址 网店 网站 网络 联通 臺灣 谷歌 购物 通販 集团
電訊盈科 飞利浦 食品 餐厅 香格里拉 香港 닷넷 닷컴 삼성 한국
`
    .trim()
    .split(/\s+/),
)
