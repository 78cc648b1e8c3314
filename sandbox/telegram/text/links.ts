/** What Telegram makes of a link: its canonical form, or why it is none (tdlib's wording). */
export type CheckedLink = { ok: true; url: string } | { ok: false; why: string }

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
