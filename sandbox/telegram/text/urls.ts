import { topLevelDomains } from './tlds.ts'

export interface FoundLink {
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
