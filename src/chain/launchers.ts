import type { Address } from 'viem'
import { z } from 'zod'
import { UserError } from '../errors.ts'
import { parseAddress } from './address.ts'

/** Where a launch is sent and who emits `Create` for it; on most chains the two are one. */
export interface Launcher {
  to: Address
  airlock: Address
}

function airlock(address: Address): Launcher {
  return { to: address, airlock: address }
}

const ofBase = airlock('0x660eAaEdEBc968f8f3694354FA8EC0b4c5Ba8D12')
const ofEthereum = airlock('0xDe3599a2eC440B296373a983C85C365DA55d9dFA')

/** By chain id, from the deployments of the protocol and, for Robinhood Chain, from live launches. */
export const knownLaunchers: Readonly<Record<number, Launcher>> = {
  1: ofEthereum,
  130: airlock('0x77EbfBAE15AD200758E9E2E61597c0B07d731254'),
  143: ofBase,
  4326: ofEthereum,
  4663: {
    to: '0x22e99278308B393ea1260859B181AD7E78f5eeED',
    airlock: '0xeb7C034704eF8Dcd2D32324c1545f62fB4aD0862',
  },
  8453: ofBase,
  57073: ofBase,
  84532: airlock('0x3411306Ce66c9469BFF1535BA955503c4Bde1C6e'),
  11155111: ofEthereum,
}

const example = '{"8453":"0x…"} or {"4663":{"to":"0x…","airlock":"0x…"}}'
const shape = z.record(
  z.string().regex(/^[1-9]\d{0,14}$/u),
  z.union([z.string(), z.strictObject({ to: z.string(), airlock: z.string() })]),
)

/**
 * What the operator sets by chain id, on top of the known launchers: an address, or `{to, airlock}` where transactions
 * go to another contract than the one that emits `Create`. Addresses come out with their checksum; a wrong one is
 * refused, in a message that names the chain.
 */
export const launchersSchema = z.unknown().transform((given, context) => {
  const refuse = (message: string) => {
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  }
  const read = shape.safeParse(given)
  if (!read.success) {
    const [chain] = read.error.issues[0]?.path ?? []
    const where = chain === undefined ? '' : `${JSON.stringify(chain)}: `
    return refuse(`${where}must be a JSON object by chain id, such as ${example}`)
  }
  const launchers: Record<number, Launcher> = { ...knownLaunchers }
  for (const [chain, launcher] of Object.entries(read.data)) {
    try {
      launchers[Number(chain)] = readLauncher(launcher)
    } catch (error) {
      if (error instanceof UserError) return refuse(`${chain}: ${error.message}`)
      throw error
    }
  }
  return launchers
})

function readLauncher(given: string | { to: string; airlock: string }): Launcher {
  if (typeof given === 'string') return airlock(parseAddress(given))
  return { to: parseAddress(given.to), airlock: parseAddress(given.airlock) }
}
