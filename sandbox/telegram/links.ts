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
