import { randomInt } from 'node:crypto'
import { type Address, getAddress, keccak256, slice, stringToHex } from 'viem'
import { formatUnits, parseUnits } from 'viem/utils'
import type { Api } from '../api/client.ts'
import type { AuctionTemplate } from '../api/schema.ts'
import { isAddress, isNobody } from '../chain/address.ts'
import { effectsOf } from '../chain/airlock/effects.ts'
import { decodePayload, type ModuleBook } from '../chain/airlock/modules.ts'
import { ApiError, isRefused } from '../errors.ts'
import type { Template } from './settings.ts'
import { percentDecimals, sharesSchema } from './table/value.ts'
import { type Asked, valuesOf } from './table.ts'

/** Derives an account whose key nobody has. */
export function accountOfNobody(words: string): Address {
  return getAddress(slice(keccak256(stringToHex(`nobody, for the doctor of Gavel: ${words}`)), 12))
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const symbolLength = 12

/** Makes a symbol for a token that nobody launches. Launch contracts that reserve symbols take letters, and anybody can reserve a known one. */
export function madeUpSymbol(): string {
  return Array.from({ length: symbolLength }, () => letters[randomInt(letters.length)]).join('')
}

/** CID of an empty file, used as metadata so that nothing has to be uploaded. */
export const emptyUri = 'ipfs://bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku'

/** The account that launches the builds made to learn about a template. */
const nobody = accountOfNobody('wallet')

/** A template's handling of the fees, as it was found by asking. */
export interface TemplateTerms {
  /** In percent; absent: the API takes a request without shares, and gives the creator the rest by itself. */
  openShare?: string | undefined
  /** Supply and fee shares of what it built, as a template pins them; empty if that can't be read. */
  expects: Asked
  /** Its integrator as the API named it: good for a name beside the address, not for trust. */
  integrator?: Address
}

/** The findings about a template: its terms, or the words with which the API refused everything. */
export type TemplateAnswer = { terms: TemplateTerms } | { refused: ApiError }

/** Shares in percent that templates commonly leave open. */
const usualShares = ['95', '35', '50', '45', '90', '100', '85', '65']
/** Max requests for one template: each may make the API compute for a while. */
const maxTries = 9

/**
 * A field of the request besides the shares, before what a refusal says of it.
 * @example
 *   'metadata.token_symbol: Required'
 */
const otherField =
  /(?:^|; )(?:\w+\.)*(?:metadata\.(?!beneficiaries\b)\w|(?:template_id|token_name|token_symbol|token_uri|user_address)\b)[\w.]*: /u

/**
 * Finds which share of the fees a template leaves open: has it built for nobody, first without a share, then with those that the
 * refusal's own words name and with usual ones. The API builds only if the shares sum to exactly what is open. A refusal of another
 * field ends it: no share would change that.
 * @throws ApiError if the API is not available
 */
export async function learnTerms(
  api: Pick<Api, 'buildAuction'>,
  { id, chain, openShare }: Pick<Template, 'id' | 'chain' | 'openShare'>,
  modules: ModuleBook,
): Promise<TemplateAnswer> {
  let waiting = [openShare ?? '0']
  const tried = new Set<string>()
  let refused = new ApiError('invalid', 'nothing was tried')
  while (tried.size < maxTries) {
    const share = waiting.find((each) => !tried.has(each))
    if (share === undefined) break
    tried.add(share)
    const built = await buildFor(api, { id, chain, share })
    if (!(built instanceof ApiError)) {
      const terms = termsIn(built, modules)
      const isPaidAnyway = share === '0' && openShare === undefined && isPaid(terms.expects)
      return { terms: isPaidAnyway ? terms : { openShare: share, ...terms } }
    }
    refused = built
    const { kind, words = '' } = built
    if (kind === 'not-found' || openShare !== undefined || otherField.test(words)) break
    waiting = [...sharesIn(words), ...waiting, ...usualShares]
  }
  return { refused }
}

/** Has a template built for nobody, who gets this share; returns the payload, or why it is refused. */
async function buildFor(
  api: Pick<Api, 'buildAuction'>,
  { id, chain, share }: { id: string; chain: number; share: string },
): Promise<string | ApiError> {
  try {
    return (await api.buildAuction(requestOf(id, share), chain)).encoded_payload
  } catch (error) {
    if (error instanceof ApiError && isRefused(error)) return error
    throw error
  }
}

function requestOf(id: string, percent: string): AuctionTemplate {
  const shares = String(parseUnits(percent, percentDecimals))
  return {
    template_id: id,
    metadata: {
      token_name: 'Otter',
      token_symbol: madeUpSymbol(),
      user_address: nobody,
      token_uri: emptyUri,
      beneficiaries: shares === '0' ? [] : [{ beneficiary: nobody, shares }],
    },
    debug: true,
  }
}

/** Reads shares out of a refusal's words, in percent: percentages and 18-decimal fractions, and what each leaves of the whole. */
function sharesIn(words: string): string[] {
  const fractions = [...words.matchAll(/(?<![\d.])\d{15,19}(?![\d.])/gu)].map(([text]) =>
    formatUnits(BigInt(text), percentDecimals),
  )
  const percentages = [...words.matchAll(/(\d{1,3}(?:\.\d{1,16})?) ?%/gu)].map(
    ([, text = '']) => text,
  )
  const whole = parseUnits('100', percentDecimals)
  return [...fractions, ...percentages].flatMap((text) => {
    const share = parseUnits(text, percentDecimals)
    return share > 0n && share < whole
      ? [share, whole - share].map((each) => formatUnits(each, percentDecimals))
      : []
  })
}

/** Reads the terms of a payload that was built for nobody; it expects nothing if that can't be read. */
function termsIn(payload: string, modules: ModuleBook): TemplateTerms {
  const decoded = decodePayload(`0x${payload.slice(2).toLowerCase()}`, modules)
  if (!decoded.call) return { expects: {} }
  const view = { wallet: nobody, quote: { symbol: '', known: false }, now: 0 }
  const effects = effectsOf(decoded, { token: undefined })
  const { supply, shares } = valuesOf(effects, view)
  const { integrator } = effects
  const expects = {
    ...(supply !== null && { supply }),
    ...(shares !== null && { shares: withProtocol(shares, integrator) }),
  }
  return isNobody(integrator) ? { expects } : { expects, integrator }
}

/** In percent; the contracts take no shares that give the protocol less. */
const leastProtocolShare = 5

/** Names the protocol, if only one account beside creator and integrator can be it. */
function withProtocol(shares: unknown, integrator: Address): unknown {
  const lines = sharesSchema.safeParse(shares).data ?? []
  const [likely, ...others] = lines.filter(
    ({ to }) => isAddress(to) && to.toLowerCase() !== integrator.toLowerCase(),
  )
  const isProtocol = others.length === 0 && Number(likely?.percent) >= leastProtocolShare
  return isProtocol
    ? lines.map((each) => (each === likely ? { ...each, to: 'protocol' } : each))
    : shares
}

/** Whether the creator gets any of the fees. */
function isPaid({ shares }: Asked): boolean {
  return Array.isArray(shares) && shares.some(({ to }) => to === 'you')
}
