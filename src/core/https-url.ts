/**
 * Labels of letters, digits and hyphens. Discord refuses a message that shows a picture from, or has a button to, any
 * other host, although browsers open it: https://github.com/discordjs/discord.js/issues/7438
 */
const domain =
  /^(?=.{1,253}$)(?:(?!-)[a-z0-9-]{1,63}(?<!-)\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59}(?<!-))$/u

/**
 * An https URL of a domain, without credentials, of at most 512 characters, in the characters that RFC 3986 allows;
 * undefined for anything else.
 */
export function httpsUrl(text: string | undefined): URL | undefined {
  const parsed = text === undefined ? null : URL.parse(text)
  if (parsed?.protocol !== 'https:' || parsed.username || parsed.password) return undefined
  // Telegram refuses a message, and all results of an inline query, for one link to port 0, and Discord to any of one digit.
  if (!domain.test(parsed.hostname) || parsed.port.length === 1) return undefined
  const url = encoded(parsed)
  return url.href.length <= 512 ? url : undefined
}

/** Characters that RFC 3986 (3.3 to 3.5) forbids behind a host and browsers leave as they are, such as "|", "[" or a lone "%". */
const stray = /%(?![\dA-Fa-f]{2})|[^\w\-.~!$&'()*+,;=:@/?%]/gu

function encoded(url: URL): URL {
  const { origin, pathname, search, hash } = url
  if ((pathname + search).search(stray) < 0 && hash.slice(1).search(stray) < 0) return url
  const encode = (text: string) => text.replaceAll(stray, encodeURIComponent)
  return new URL(origin + encode(pathname + search) + (hash && `#${encode(hash.slice(1))}`))
}
