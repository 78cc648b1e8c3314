import { expect, test } from 'vitest'
import { chainById } from '../../../../src/chain/chains.ts'
import { localise } from '../../../../src/core/catalogue.ts'
import { t, type View } from '../../../../src/core/view.ts'
import type { Payload } from '../../../../src/launch/payload.ts'
import { announcementView, launchedView } from '../../../../src/launch/views/launched.ts'
import { controls, shown } from '../../views/shown.ts'
import { payloadBody } from '../payload-body.ts'

const token = '0x00000000000000000000000000000000000000cc'
const contract = '0x00000000000000000000000000000000000000dd'
const id = `0x${'7e'.repeat(32)}` as const
const launchedBy = `0x${'ab'.repeat(32)}` as const

function launched(pool: Payload['pool']): Payload {
  return {
    ...payloadBody,
    token,
    launchedBy,
    ...(pool !== undefined && { pool }),
    id: 'aa',
    draft: 'bb',
    state: 'launched',
    linkExpiresAt: undefined,
    rev: 1,
    createdAt: 0,
    updatedAt: 0,
  }
}

const card: View = {
  title: ['Moon Otter $OTTER'],
  picture: { key: 'k', name: 'card.png', type: 'image/png', bytes: new Uint8Array() },
  blocks: [{ kind: 'text', spans: ['MC $1M'] }],
  buttons: [[{ label: 'Refresh', line: `asset ${token}` }]],
}

test.each([launchedView, announcementView])('a pool with an id leads to its auction', (view) => {
  const made = view(launched(id), chainById(8453))
  expect(controls(made).flat()).toContain(`Auction +auction ${id} chain:8453`)
})

test('the creator gets the operator’s links of the card, too', () => {
  const chart = { label: 'Chart', url: 'https://chart.example/' }
  const explorer = { label: t('asset-button-explorer'), url: 'https://basescan.org/' }
  const buttons = [...(card.buttons ?? []), [explorer], [chart]]
  const made = launchedView(launched(contract), chainById(8453), { ...card, buttons })
  expect(made.buttons).toContainEqual([chart])
  expect(made.buttons).not.toContainEqual([explorer])
})

test('transaction and pool are links, not hashes', () => {
  const made = launchedView(launched(contract), chainById(8453), card)
  const links = localise(made, 'en').blocks.flatMap((block) =>
    block.kind === 'text' ? block.spans.filter((span) => typeof span === 'object') : [],
  )
  expect(links).toEqual([
    { link: 'Transaction', url: `https://basescan.org/tx/${launchedBy}` },
    { link: 'Pool', url: `https://basescan.org/address/${contract}` },
  ])
  expect(shown(made).join()).not.toContain('abab')
})

test('on a chain without an explorer their short form stands there', () => {
  const text = shown(launchedView(launched(contract), chainById(31_337))).join('\n')
  expect(text).toContain('Transaction: 0xabab…abab · Pool: 0x0000…00dd')
})

test('where the pool is not known nothing is said of it', () => {
  expect(shown(launchedView(launched(undefined), chainById(8453))).join()).not.toContain('Pool')
})

test('the creator goes on from the card: follows it, announces it and shares it', () => {
  const made = launchedView(launched(id), chainById(8453), card)
  expect(made.picture).toBe(card.picture)
  expect(shown(made)).toEqual(['🚀 Launched: Moon Otter $OTTER', 'MC $1M', 'Transaction'])
  const rows = controls(made).map((row) => row.map((each) => each.split(/ (?=[+=h])/u)[0]))
  expect(rows).toEqual([
    ['🔔 Follow your auction', '📣 Announce in…'],
    ['📤 Telegram', '📤 X', '📤 Farcaster'],
    ['Card', 'Auction', 'Explorer'],
    ['Launch again with these settings'],
  ])
  const all = controls(made).flat().join('\n')
  expect(all).toContain(`+follow ${token} chain:8453 on:all`)
  expect(all).toContain('+announce aa')
})

test('others read the card with its own buttons', () => {
  const made = announcementView(launched(id), chainById(8453), card)
  expect(shown(made)).toEqual(['🚀 Launched: Moon Otter $OTTER', 'MC $1M'])
  expect(made.picture).toBe(card.picture)
  expect(made.buttons).toBe(card.buttons)
})
