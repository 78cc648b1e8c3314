import { afterAll, beforeAll, expect, test } from 'vitest'
import * as discordCast from '../../sandbox/discord/cast.ts'
import { hostileNames } from '../../sandbox/interface/names.ts'
import * as telegramCast from '../../sandbox/telegram/cast.ts'
import { chainById } from '../../src/chain/chains.ts'
import { startTown, type Town } from './town.ts'

let town: Town
beforeAll(async () => {
  town = await startTown()
})
afterAll(() => town.stop())

/** Entities that the card itself makes; anything else would come from what a stranger wrote. */
const ours = new Set(['bold', 'italic', 'code', 'date_time', 'text_link'])

test.each(hostileNames)(
  '$name shows as harmless text on both platforms',
  async ({ name, symbol }) => {
    const token = town.upstream.world.tokens.find(
      (each) => each.name === name && each.symbol === symbol,
    )
    if (!token) throw new Error('the sandbox lost a hostile name')
    for (const line of [`asset ${token.address} chain:${token.chain}`, 'assets']) {
      const { people } = town.telegram
      const { message_id } = people.text(telegramCast.ada.id, telegramCast.ada.id, `/${line}`)
      const seen = await people.waitFor(telegramCast.ada.id, () => true, { after: message_id })
      const foreign = seen.entities.filter(({ type }) => !ours.has(type))
      expect(foreign).toEqual([])
      const links = seen.entities.flatMap((entity) =>
        entity.type === 'text_link' ? [entity.url] : [],
      )
      for (const link of links) expect(link).toMatch(/^https:\/\//u)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
      expect(seen.text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b\u0000-\u0009]/u)
    }
    const { people } = town.discord
    const message = await people
      .slash(discordCast.ada.id, discordCast.club.id, 'asset', {
        asset: token.address,
        chain: chainById(token.chain).slug,
      })
      .message()
    expect(message).toMatchObject({ mention_everyone: false, mentions: [], mention_roles: [] })
  },
)
