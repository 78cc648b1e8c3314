import { decodePayload } from '../chain/airlock/decode.ts'
import { chainById } from '../chain/chains.ts'
import type { Attachment } from '../chat/view.ts'
import { bookOf, tellPayload } from './check.ts'
import type { Payload } from './payload.ts'
import type { Words } from './table.ts'

/** A payload for who signs elsewhere: the transaction with all that it says, and a file for a Safe. */
export function payloadFiles(payload: Payload): Attachment[] {
  return [
    file(payload, 'payload', {
      chainId: payload.chain,
      to: payload.to,
      value: payload.value,
      data: payload.calldata,
      digest: payload.digest,
      verified: payload.verified,
      name: payload.name,
      symbol: payload.symbol,
      tokenUri: payload.uri,
      token: payload.token ?? null,
      ...told(payload),
    }),
    file(payload, 'safe', {
      version: '1.0',
      chainId: String(payload.chain),
      createdAt: payload.createdAt * 1000,
      meta: { name: `Launch ${payload.name} $${payload.symbol}` },
      transactions: [{ to: payload.to, value: payload.value, data: payload.calldata }],
    }),
  ]
}

/** All that the calldata say, and the table of what that does. */
function told({ calldata, wallet, chain, check }: Payload): Record<string, unknown> {
  if (!check) return { decoded: null }
  const { rows, doubts } = tellPayload(calldata, wallet, check, chainById(chain).coin)
  return {
    table: rows.map(({ label, does, asked, state }) => ({
      label,
      does: text(does),
      ...(asked && { asked: text(asked) }),
      state,
    })),
    doubts,
    decoded: decodePayload(calldata, bookOf(check)),
  }
}

function text(words: Words = []): string {
  return words
    .map((word) => {
      if (typeof word === 'string') return word
      return 'account' in word ? word.account : new Date(word.time * 1000).toISOString()
    })
    .join('')
}

function file({ symbol }: Payload, what: string, content: unknown): Attachment {
  const json = JSON.stringify(
    content,
    (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
    2,
  )
  const stem = symbol.replaceAll(/[^A-Za-z0-9]/gu, '') || 'token'
  return {
    name: `${stem}-${what}.json`,
    type: 'application/json',
    bytes: Buffer.from(`${json}\n`),
  }
}
