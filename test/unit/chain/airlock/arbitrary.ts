import type { BeneficiaryData } from '@whetstone-research/doppler-sdk/evm'
import fc from 'fast-check'
import { type Address, getAddress, type Hex, toHex } from 'viem'
import { type Distribution, distributionNames, whole } from './sdk.ts'

// Values of every field of a launch that the SDK takes.

export function anyUint(bits: number, min = 0n): fc.Arbitrary<bigint> {
  return fc.bigInt({ min, max: 2n ** BigInt(bits) - 1n })
}

export function anyNumber(max: number, min = 0): fc.Arbitrary<number> {
  return fc.integer({ min, max })
}

export const anyUint24 = anyNumber(2 ** 24 - 1)
export const anyUint32 = anyNumber(2 ** 32 - 1)
export const anyTick = fc.integer({ min: -887_272, max: 887_272 })
export const anyBytes: fc.Arbitrary<Hex> = fc
  .uint8Array({ maxLength: 70 })
  .map((bytes) => toHex(bytes))
export const anyWord: fc.Arbitrary<Hex> = anyUint(256).map((word) => toHex(word, { size: 32 }))
export const anyAddress: fc.Arbitrary<Address> = anyUint(160, 1n).map((address) =>
  getAddress(toHex(address, { size: 20 })),
)
/** Text in any script; the SDK refuses a blank name. */
export const anyText = fc.string({ unit: 'grapheme', maxLength: 60 })
export const anyName = anyText.filter((text) => text.trim() !== '')

/** Any sum in so many parts, none of which is nothing. */
function anyParts(sum: bigint, count: number): fc.Arbitrary<bigint[]> {
  const most = sum / BigInt(count)
  return fc
    .array(fc.bigInt({ min: 1n, max: most }), { minLength: count - 1, maxLength: count - 1 })
    .map((parts) => [...parts, sum - parts.reduce((all, part) => all + part, 0n)])
}

/** By ascending address, as the contracts want them and the SDK sorts them. */
export const anyBeneficiaries: fc.Arbitrary<BeneficiaryData[]> = fc
  .uniqueArray(anyAddress, { minLength: 1, maxLength: 4 })
  .chain((people) =>
    anyParts(whole, people.length).map((shares) =>
      people
        .toSorted((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1))
        .map((beneficiary, index) => ({ beneficiary, shares: shares[index] ?? 0n })),
    ),
  )

export const anyOrNoBeneficiaries = fc.oneof(fc.constant<BeneficiaryData[]>([]), anyBeneficiaries)

const anyRange = fc
  .uniqueArray(anyTick, { minLength: 2, maxLength: 2 })
  .map((ticks) => ({ tickLower: Math.min(...ticks), tickUpper: Math.max(...ticks) }))

const anyCurves = anyNumber(4, 1).chain((count) =>
  fc
    .tuple(
      anyParts(whole, count),
      fc.array(fc.tuple(anyRange, anyNumber(65_535, 1)), { minLength: count, maxLength: count }),
    )
    .map(([shares, curves]) =>
      curves.map(([range, numPositions], index) => ({
        ...range,
        numPositions,
        shares: shares[index] ?? 0n,
      })),
    ),
)

/** What there is of a multicurve of every kind. */
export const anyCurvesPool = fc.record({
  fee: anyUint24,
  tickSpacing: anyNumber(32_767, 1),
  curves: anyCurves,
  beneficiaries: anyOrNoBeneficiaries,
})

/** Two rows of four parts, each of which sums to the whole. */
export const anyDistribution: fc.Arbitrary<Distribution> = fc
  .tuple(anyParts(whole, 4), anyParts(whole, 4))
  .map((rows) => {
    const [a = 0n, b = 0n, c = 0n, d = 0n, e = 0n, f = 0n, g = 0n, h = 0n] = rows.flat()
    return {
      assetFeesToAssetBuybackWad: a,
      assetFeesToNumeraireBuybackWad: b,
      assetFeesToBeneficiaryWad: c,
      assetFeesToLpWad: d,
      numeraireFeesToAssetBuybackWad: e,
      numeraireFeesToNumeraireBuybackWad: f,
      numeraireFeesToBeneficiaryWad: g,
      numeraireFeesToLpWad: h,
    }
  })

/** The parts in the order of the contract. */
export function partsOf(distribution: Distribution): bigint[] {
  return distributionNames.map((name) => distribution[name])
}

/** What is split off the proceeds: half of them at most. */
export const anySplit = fc.record({
  recipient: anyAddress,
  share: fc.bigInt({ min: 0n, max: whole / 2n }),
})

/** Somebody who gets tokens over time: a cliff within the duration, which is none or a day at least. */
const anyAllocation = fc
  .record({
    recipient: anyAddress,
    amount: anyUint(90, 1n),
    duration: fc.oneof(fc.constant(0), anyNumber(2 ** 53 - 1, 86_400)),
    part: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ part, duration, recipient, amount }) => ({
    recipient,
    amount,
    schedule: { duration, cliffDuration: Math.floor(duration * part) },
  }))
export const anyAllocations = fc.array(anyAllocation, { minLength: 1, maxLength: 5 })

/** A sale that leaves this much for the vesting, and more: the SDK allows four fifths of the supply to be vested. */
export function saleBeside(vested: bigint) {
  return { initialSupply: vested * 2n + 2n, numTokensToSell: vested + 1n }
}
