import type { CreateParams } from '../chain/launch/calldata.ts'
import { decodeCreate } from '../chain/launch/calldata.ts'
import { readPoolData } from '../chain/launch/pool-data.ts'
import { readTokenData } from '../chain/launch/token-data.ts'
import type { Attachment } from '../chat/view.ts'
import type { Payload } from './payload.ts'

/** A payload for who signs elsewhere: the transaction with all that it says, and a file for a Safe. */
export function payloadFiles(payload: Payload): Attachment[] {
  return [
    file(payload, 'payload', {
      chainId: payload.chain,
      to: payload.to,
      value: '0',
      data: payload.calldata,
      digest: payload.digest,
      verified: payload.verified,
      name: payload.name,
      symbol: payload.symbol,
      tokenUri: payload.uri,
      token: payload.token ?? null,
      decoded: decoded(decodeCreate(payload.calldata)),
    }),
    file(payload, 'safe', {
      version: '1.0',
      chainId: String(payload.chain),
      createdAt: payload.createdAt * 1000,
      meta: { name: `Launch ${payload.name} $${payload.symbol}` },
      transactions: [{ to: payload.to, value: '0', data: payload.calldata }],
    }),
  ]
}

function decoded(params: CreateParams | undefined): unknown {
  if (params === undefined) return null
  return {
    ...params,
    token: readTokenData(params.tokenFactoryData) ?? null,
    pool: readPoolData(params.poolInitializerData) ?? null,
  }
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
