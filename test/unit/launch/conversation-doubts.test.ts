import { beforeEach, describe, expect, test } from 'vitest'
import { Api } from '../../../src/api/client.ts'
import { checkName, checkSymbol } from '../../../src/launch/answers.ts'
import { createLogger } from '../../../src/log.ts'
import { defaultTables } from '../api/server.ts'
import { Harness, type Person } from './conversing.ts'

const one = '0x52908400098527886E0F7030069857D2E4169EE7'
const other = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'

let harness: Harness
let person: Person

beforeEach(async () => {
  harness = await Harness.start()
  person = await harness.person()
  await person.sends('launch')
})

describe('a name that looks like another', () => {
  const asked =
    '“РЕРЕ” is written with look-alike letters: it reads like PEPE, a well-known coin, but isn’t. People will be warned of it.'

  test('is held back, and may be kept', async () => {
    const seen = await person.says('РЕРЕ')
    expect(seen.slice(0, 2)).toEqual(['Question 1 of 10: Name', asked])
    expect(seen).toContain('You typed: РЕРЕ')
    expect(person.view.tone).toBe('warn')
    expect((await person.draft()).answers.name).toBeUndefined()
    expect((await person.presses('Use this name'))[0]).toBe('Question 2 of 10: Symbol')
    expect((await person.draft()).answers.name).toBe('РЕРЕ')
  })

  test('is not asked about again, here or as an answer among others', async () => {
    await person.says('РЕРЕ')
    await person.presses('Use this name')
    await person.says('name: РЕРЕ, symbol: WREN')
    expect(person.view.title).toEqual(['Question 3 of 10: Description'])
  })

  test('is asked about anew by whoever comes back', async () => {
    await person.says('uniswap․org')
    person = await harness.person()
    expect(await person.sends('launch')).toContain(
      '“uniswap․org” looks like a link (uniswap.org). People will be warned of it.',
    )
    expect((await person.presses('Use this name'))[0]).toBe('Question 2 of 10: Symbol')
  })

  test('is held back where it looks like a listed token', async () => {
    const words =
      '“ＭＯＯＮ ＯＴＴＥＲ” is written with look-alike letters: it reads like a token that exists already.'
    expect(await person.says('ＭＯＯＮ ＯＴＴＥＲ')).toContain(words)
    person = await harness.person()
    expect(await person.sends('launch')).toContain(words)
    expect((await person.presses('Use this name'))[0]).toBe('Question 2 of 10: Symbol')
    await person.presses('◀ Back')
    expect((await person.says('ＭＯＯＮ ＯＴＴＥＲ'))[0]).toBe('Question 2 of 10: Symbol')
  })
})

describe('a symbol that looks like another', () => {
  test('is held back where a well-known coin has it', async () => {
    await person.says('Tidal Wren')
    const seen = await person.says('usdc')
    expect(seen[1]).toBe(
      '“usdc” is what a well-known coin is called. People may take one for the other, and will be warned.',
    )
    expect((await person.presses('Use it anyway'))[0]).toBe('Question 3 of 10: Description')
    expect((await person.draft()).answers.symbol).toBe('usdc')
    await person.presses('◀ Back')
    expect((await person.says('usdc'))[0]).toBe('Question 3 of 10: Description')
  })

  test('and a name that does are both held back from one message, each with its button', async () => {
    const seen = await person.says('name: РЕРЕ, symbol: USDC, description: A bird.')
    expect(seen[0]).toBe('Question 1 of 10: Name')
    expect(seen).toContain('Taken: Description.')
    expect(person.labels().slice(0, 2)).toEqual(['Use this name', 'Use it anyway'])
    expect((await person.presses('Use this name'))[0]).toBe('Question 2 of 10: Symbol')
    expect((await person.presses('Use it anyway'))[0]).toBe('Question 4 of 10: Picture')
    expect((await person.draft()).answers).toMatchObject({ name: 'РЕРЕ', symbol: 'USDC' })
  })

  test('finds the listed token that it looks like', async () => {
    const { baseUrl } = harness.upstream
    const key = 'an-interface-key-for-tests'
    const log = createLogger('silent', [])
    const api = new Api({
      baseUrl,
      key,
      ...defaultTables,
      chains: [8453],
      log,
    })
    try {
      for (const symbol of ['ОТТЕR', 'ᴏᴛᴛᴇʀ', 'OTTER']) {
        expect(await checkSymbol(api, symbol, 8453)).toMatchObject({ kind: 'known' })
      }
      expect(await checkSymbol(api, 'ВЫДРА', 8453)).toEqual({ kind: 'free' })
      expect(await checkName(api, 'Мооn Оttеr', 8453)).toMatchObject({ kind: 'known' })
      // Who writes it in its own letters is asked about the symbol alone.
      expect(await checkName(api, 'Moon Otter', 8453)).toEqual({ kind: 'free' })
      harness.upstream.faults.set({ kind: 'status', status: 503, body: 'html' })
      expect(await checkName(api, 'Ꮇooո', 8453)).toEqual({ kind: 'unchecked' })
    } finally {
      await api.close()
    }
  })
})

describe('vesting of hardly anything', () => {
  const words = '150 tokens is 0.000015% of a supply of 1 billion, for 0x5290…9EE7. Was that meant?'

  beforeEach(async () => {
    await person.answersAll(other)
  })

  test('is asked about once, and taken where it was meant', async () => {
    const seen = await person.says(`vesting: ${one} 150 tokens\n${other} 5%`)
    expect(seen[0]).toBe('Question 9 of 10: Vesting')
    expect(seen).toContain(`Vesting: ${words}`)
    expect((await person.draft()).answers.vesting).toEqual([])
    expect((await person.presses('Yes, that was meant'))[0]).toMatch(/^Review/u)
    const small = { address: one, amount: '150' }
    expect((await person.draft()).answers.vesting).toEqual([
      small,
      { address: other, percentage: '5' },
    ])
    expect((await person.says(`vesting: ${one} 150 tokens`))[0]).toMatch(/^Review/u)
    expect((await person.draft()).answers.vesting).toEqual([small])
  })

  test('is asked about in a form too, where a number alone is refused', async () => {
    await person.sends(person.line('✎ Vesting'))
    const form = await person.opens()
    expect(await person.fills(form, { vesting: `${one} 150` })).toContain(
      'Vesting: Write 5% or 5000000 tokens: a number alone could be either.',
    )
    const corrected = await person.opens()
    expect(await person.fills(corrected, { vesting: `${one} 150 tokens` })).toContain(
      `Vesting: ${words}`,
    )
    expect((await person.presses('Yes, that was meant'))[0]).toMatch(/^Review/u)
  })
})
