import { UserError } from '../../errors.ts'
import { httpsUrl } from '../../views/people.ts'
import type { Answers } from '../draft.ts'
import { always, entriesOf, entryRefused, type Question } from './question.ts'
import { readText } from './text.ts'

type Link = NonNullable<Answers['links']>[number]

const maxLinks = 10

const knownSites: readonly [host: RegExp, label: string][] = [
  [/^(?:x|twitter)\.com$/u, 'X'],
  [/^(?:t|telegram)\.me$/u, 'Telegram'],
  [/^discord\.(?:gg|com)$/u, 'Discord'],
  [/^github\.com$/u, 'GitHub'],
  [/^(?:farcaster\.xyz|warpcast\.com)$/u, 'Farcaster'],
  [/^(?:youtube\.com|youtu\.be)$/u, 'YouTube'],
  [/^instagram\.com$/u, 'Instagram'],
  [/^tiktok\.com$/u, 'TikTok'],
  [/^reddit\.com$/u, 'Reddit'],
  [/^(?:medium\.com|.+\.medium\.com)$/u, 'Medium'],
]

/** Host names that can't be reached from the internet. */
const localHosts =
  /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|test|invalid|onion)$/u

export const links: Question = {
  id: 'links',
  label: 'Links',
  names: ['links', 'link', 'social links', 'socials'],
  field: { kind: 'paragraph', most: 3_000, about: 'One a line, such as: Website https://…' },
  applies: always,
  skipped: () => ({ links: [] }),
  ask: () => ({
    words: ['Where can people read more? Give its website and its channels, one a line.'],
    example: 'Website https://moonotter.example',
    allowed: `Up to ${maxLinks} links that begin with https://, each with a label before it if you like.`,
  }),
  parse: (text) => ({ links: readLinks(text) }),
  text: ({ answers }) => answers.links?.map(({ label, url }) => `${label} ${url}`).join('\n'),
}

function readLinks(text: string): Link[] {
  const entries = entriesOf(text, /,(?=\s)|,(?=https?:\/\/)/iu)
  if (entries.length === 0) throw new UserError('Give at least one link, or skip this.')
  if (entries.length > maxLinks) {
    throw new UserError(`At most ${maxLinks} links; these are ${entries.length}.`)
  }
  const seen = new Set<string>()
  return entries.map((entry, index) => {
    try {
      const link = readLink(entry)
      if (seen.has(link.url)) throw new UserError('this link is there twice. Give it once.')
      seen.add(link.url)
      return link
    } catch (error) {
      throw entryRefused(error, index, entries.length)
    }
  })
}

function readLink(entry: string): Link {
  const [, before = '', address = ''] = /^(.*?)\s*(\S+)$/su.exec(entry) ?? []
  const glued = /^([^/\s:]+):(https?:\/\/.+)$/iu.exec(address)
  const typedUrl = (glued?.[2] ?? address).trim()
  const url = readUrl(typedUrl)
  const typed = [before, glued?.[1] ?? '']
    .join(' ')
    .replace(/[\s:=–-]+$/u, '')
    .trim()
  const label =
    typed === '' ? labelOf(url) : readText(typed, { what: 'A label', max: 32, maxBytes: 128 })
  return { label, url: url.href }
}

function readUrl(text: string): URL {
  const scheme = /^([a-z][a-z0-9+.-]*):/iu.exec(text)?.[1]?.toLowerCase()
  if (scheme !== 'https') {
    throw new UserError(
      scheme === undefined
        ? 'give the whole link, beginning with https://.'
        : `a link must begin with https://, not with ${scheme}:.`,
    )
  }
  const parsed = URL.parse(text)
  if (parsed?.username || parsed?.password) {
    throw new UserError('a link must not hold a user name or a password. Leave it out.')
  }
  const url = httpsUrl(text)
  if (url === undefined || localHosts.test(url.hostname)) {
    throw new UserError(
      'a link must lead to a public site by its name, such as https://moonotter.example, in at most 512 characters.',
    )
  }
  return url
}

function labelOf({ hostname }: URL): string {
  const host = hostname.replace(/^(?:www|m|mobile)\./u, '')
  return knownSites.find(([pattern]) => pattern.test(host))?.[1] ?? 'Website'
}
