/** What Telegram hands on of a link to a bot: up to 64 of these characters, https://core.telegram.org/bots/features */
const parameterForm = /^[A-Za-z0-9_-]{0,64}$/u

/** What a link to a bot opens: its private chat, or a choice of chats to add it to. */
export type BotLink =
  | { opens: 'private'; parameter: string }
  | { opens: 'group' | 'channel'; asAdministrator: boolean }

/** Reads a link to this bot; undefined for any other. The parameter is '' if it has none. */
export function botLink(url: string, username: string): BotLink | undefined {
  const link = URL.canParse(url) ? new URL(url) : undefined
  const isBot = link?.pathname.slice(1).toLowerCase() === username.toLowerCase()
  if (link?.protocol !== 'https:' || link.host !== 't.me' || !isBot) return undefined
  const has = (name: string) => link.searchParams.has(name)
  if (has('startgroup')) return { opens: 'group', asAdministrator: has('admin') }
  if (has('startchannel')) return { opens: 'channel', asAdministrator: true }
  const parameter = link.searchParams.get('start') ?? ''
  return { opens: 'private', parameter: parameterForm.test(parameter) ? parameter : '' }
}
