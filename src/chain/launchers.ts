import { type Address, isAddressEqual } from 'viem'
import { z } from 'zod'
import { UserError } from '../errors.ts'
import { parseAddress } from './address.ts'

/** The contract that a launch is sent to, and the one that emits `Create` for it; on most chains they are the same. */
export interface Launcher {
  to: Address
  airlock: Address
  /** Targets for calls of `launch` and `bundle`, if such contracts are known. */
  launch?: Address
  bundle?: Address
}

function airlock(address: Address, bundle?: Address): Launcher {
  return { to: address, airlock: address, ...(bundle && { bundle }) }
}

const onBase = '0x660eAaEdEBc968f8f3694354FA8EC0b4c5Ba8D12'
const onEthereum = airlock('0xDe3599a2eC440B296373a983C85C365DA55d9dFA')

/**
 * Launch contracts by chain id. Source: the protocol's deployments and, for Robinhood Chain, live launches. The
 * bundlers are those of doppler-sdk 1.0.30, whose `bundle` has the layout that is read here.
 */
export const knownLaunchers: Readonly<Record<number, Launcher>> = {
  1: onEthereum,
  130: airlock(
    '0x77EbfBAE15AD200758E9E2E61597c0B07d731254',
    '0x91231cDdD8d6C86Df602070a3081478e074b97b7',
  ),
  143: airlock(onBase, '0xC99b485499f78995C6F1640dbB1413c57f8BA684'),
  4326: onEthereum,
  4663: {
    to: '0x22e99278308B393ea1260859B181AD7E78f5eeED',
    airlock: '0xeb7C034704eF8Dcd2D32324c1545f62fB4aD0862',
    launch: '0x1Eef016F22A943abC7DD11422EDeE9D235942104',
    bundle: '0xEdE0B5fae363232c396724Fa962250Fa197cc5a1',
  },
  4801: airlock('0x5F3bA43D44375286296Cb85F1EA2EBfa25dde731'),
  6343: onEthereum,
  8453: airlock(onBase, '0x136191B46478cAB023cbC01a36160C4Aad81677a'),
  10143: airlock(onEthereum.to, '0xf6023127f6E937091D5B605680056A6D27524bad'),
  42161: airlock('0xeb7C034704eF8Dcd2D32324c1545f62fB4aD0862'),
  57073: airlock(onBase, '0x136191B46478cAB023cbC01a36160C4Aad81677a'),
  84532: airlock(
    '0x3411306Ce66c9469BFF1535BA955503c4Bde1C6e',
    '0x69DB7c20cDdA49Bed2bFb21e16Fa218330C50661',
  ),
  763373: airlock('0x5CadB034267751a364dDD4d321C99E07A307f915'),
  11155111: onEthereum,
}

/** Returns the target of a payload that calls this function; undefined if no contract with it is known. */
export function entryPoint(
  { to, launch, bundle }: Launcher,
  entry: 'create' | 'launch' | 'bundle' | undefined,
): Address | undefined {
  if (entry === 'launch') return launch
  return entry === 'bundle' ? bundle : to
}

const example = '{"8453":"0x…"} or {"4663":{"to":"0x…","airlock":"0x…"}}'
const entrySchema = z.record(
  z.string().regex(/^[1-9]\d{0,14}$/u),
  z.union([
    z.string(),
    z.strictObject({
      to: z.string(),
      airlock: z.string(),
      launch: z.string().optional(),
      bundle: z.string().optional(),
    }),
  ]),
)

/**
 * Validates the operator's launchers by chain id and merges them over the known ones: an address, or `{to, airlock}` if
 * transactions go to another contract than the one that emits `Create`. Checksums the addresses; the issue for an
 * invalid one names its chain.
 */
export const launchersSchema = z.unknown().transform((value, context) => {
  const refuse = (message: string) => {
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  }
  const parsed = entrySchema.safeParse(value)
  if (!parsed.success) {
    const [chain] = parsed.error.issues[0]?.path ?? []
    const where = chain === undefined ? '' : `${JSON.stringify(chain)}: `
    return refuse(`${where}must be a JSON object by chain id, such as ${example}`)
  }
  const launchers: Record<number, Launcher> = { ...knownLaunchers }
  for (const [chain, launcher] of Object.entries(parsed.data)) {
    try {
      launchers[Number(chain)] = readLauncher(launcher, knownLaunchers[Number(chain)])
    } catch (error) {
      if (error instanceof UserError) return refuse(`${chain}: ${error.message}`)
      throw error
    }
  }
  return launchers
})

type LauncherEntry = z.output<typeof entrySchema>[string]

/** Reads one entry. Inherits `launch` and `bundle` of a known launcher only if the airlock is the same. */
function readLauncher(entry: LauncherEntry, known: Launcher | undefined): Launcher {
  const { launch, bundle, ...addresses } =
    typeof entry === 'string' ? { to: entry, airlock: entry } : entry
  const [to, airlock] = [parseAddress(addresses.to), parseAddress(addresses.airlock)]
  const isKnown = known !== undefined && isAddressEqual(known.airlock, airlock)
  return {
    ...(isKnown && known),
    to,
    airlock,
    ...(launch !== undefined && { launch: parseAddress(launch) }),
    ...(bundle !== undefined && { bundle: parseAddress(bundle) }),
  }
}
