import {
  encodeAbiParameters,
  encodeErrorResult,
  type Hex,
  parseAbi,
  toFunctionSelector,
} from 'viem'
import { describe, expect, test } from 'vitest'
import {
  type Blame,
  explainRevert,
  refusals,
  revertData,
} from '../../../../src/chain/airlock/refusals.ts'
import { plainText } from '../../../../src/core/catalogue.ts'
import { t } from '../../../../src/core/view.ts'

const million = 10n ** 24n
const supply = 1000n * million

/** What the contracts were seen to answer with: the selector, the error as their sources declare it, whose it is. */
const seen: readonly (readonly [Hex, string, Blame])[] = [
  ['0x33b7a3d7', 'InvalidDN404InitialSupply()', 'template'],
  ['0x69a346ca', 'WrongModuleState(address,uint8,uint8)', 'template'],
  ['0x0887f672', 'MaxPreMintPerAddressExceeded(uint256,uint256)', 'vesting'],
  ['0x23f3f88b', 'MaxTotalPreMintExceeded(uint256,uint256)', 'vesting'],
  ['0x05767d17', 'MaxTotalVestedExceeded(uint256,uint256)', 'vesting'],
  ['0x7939f424', 'TransferFromFailed()', 'vesting'],
  ['0x0ca514df', 'MaxYearlyMintRateExceeded(uint256,uint256)', 'template'],
  ['0xdfa06864', 'InvalidProtocolOwnerBeneficiary()', 'beneficiaries'],
  ['0x2b6dc823', 'InvalidProtocolOwnerShares(uint96,uint96)', 'beneficiaries'],
  ['0x3a7be37b', 'InvalidTotalShares()', 'beneficiaries'],
  ['0xfc6e3bef', 'UnorderedBeneficiaries()', 'beneficiaries'],
  ['0x624f4151', 'TickNotAligned(int24)', 'template'],
  ['0xaaf421e9', 'UnreachableFarTick()', 'template'],
  ['0x14002113', 'LPFeeTooLarge(uint24)', 'template'],
  ['0x1c69152c', 'FeeTooHigh(uint24)', 'template'],
  ['0x9ae5d65e', 'InvalidFee(uint24)', 'template'],
  ['0x3c7a8b61', 'DopplerHookNotEnabled()', 'template'],
  ['0x6d2cca41', 'SplitShareTooHigh(uint256,uint256)', 'template'],
  ['0xb290253c', 'InvalidStartTime()', 'time'],
  ['0x248d3d6a', 'InvalidGamma()', 'template'],
  ['0xe65af6a0', 'HookAddressNotValid(address)', 'template'],
  ['0x7983c051', 'PoolAlreadyInitialized()', 'launched'],
  ['0xb06ebf3d', 'FailedDeployment()', 'launched'],
  ['0x30116425', 'DeploymentFailed()', 'launched'],
  ['0xf2cef899', 'TickerReserved(bytes32,address,uint48)', 'symbol'],
  ['0xe666e3c7', 'InvalidTickerCharacter(uint256,bytes1)', 'symbol'],
  ['0x4f9730f8', 'InvalidTickerLength(uint256)', 'symbol'],
  ['0xbbffbc74', 'UnsupportedTokenFactory(address,address)', 'template'],
  ['0x21d40621', 'MalformedTokenData()', 'template'],
  ['0x2405b6bf', 'DeployedSymbolMismatch(bytes32,bytes32)', 'template'],
  ['0xd93c0665', 'EnforcedPause()', 'other'],
]

/** The data of an error with these values. */
function reverting(signature: string, values: readonly unknown[] = []): Hex {
  const signatures: readonly string[] = [`error ${signature}`]
  return encodeErrorResult({ abi: parseAbi(signatures), args: values })
}

function words(signature: string, values: readonly unknown[], launch = {}) {
  return plainText(explainRevert(reverting(signature, values), launch).words)
}

describe('an error of the contracts', () => {
  test.each(seen)(
    '%s %s is known, with who can change what caused it',
    (selector, signature, blame) => {
      expect(toFunctionSelector(signature)).toBe(selector)
      const types = signature.slice(signature.indexOf('(') + 1, -1).split(',')
      const sizes: Readonly<Record<string, number>> = { address: 20, bytes32: 32, bytes1: 1 }
      const values = types.map((type) => {
        const size = sizes[type]
        return size === undefined ? 7n : `0x${'42'.repeat(size)}`
      })
      const data = reverting(signature, signature.endsWith('()') ? [] : values)
      expect(data.slice(0, 10)).toBe(selector)
      const reason = explainRevert(data)
      expect(reason).toMatchObject({ name: signature.slice(0, signature.indexOf('(')), blame })
      expect(plainText(reason.words)).toMatch(/^\p{Ll}.{15,170}[^.]$/u)
    },
  )

  test('is listed once', () => {
    const selectors = refusals.map(([signature]) => toFunctionSelector(`error ${signature}`))
    expect(new Set(selectors).size).toBe(refusals.length)
  })

  test('gives amounts in tokens, or in percent if the supply is known', () => {
    const perPerson = 'MaxPreMintPerAddressExceeded(uint256 amount, uint256 limit)'
    const amounts = [250n * million, 200n * million]
    expect(words(perPerson, amounts)).toBe(
      'vesting of 250,000,000 tokens to one person is more than the 200,000,000 tokens that the contract allows',
    )
    expect(words(perPerson, amounts, { supply })).toBe(
      'vesting of 25% to one person is more than the 20% that the contract allows',
    )
    expect(words('MaxTotalPreMintExceeded(uint256 a, uint256 b)', amounts, { supply })).toBe(
      'vesting of 25% in all is more than the 20% that the contract allows',
    )
    expect(
      words('MaxTotalVestedExceeded(uint256 a, uint256 b)', [supply, supply], { supply }),
    ).toBe('vesting of 100% in all leaves nothing of the supply to sell')
  })

  test('never describes two different amounts in the same words', () => {
    const said = words(
      'MaxPreMintPerAddressExceeded(uint256 amount, uint256 limit)',
      [200n * million + 1n, 200n * million],
      { supply },
    )
    expect(said).toContain('20.0000000000000000000000001% to')
    expect(said).toContain('the 20% that')
  })

  test('gives shares and fees in percent', () => {
    const shares = 'InvalidProtocolOwnerShares(uint96 required, uint96 provided)'
    expect(words(shares, [50_000_000_000_000_000n, 30_000_000_000_000_000n])).toBe(
      'the protocol’s share of the fees, 3%, is less than the 5% that the contract asks for',
    )
    expect(words('FeeTooHigh(uint24 fee)', [900_001])).toBe(
      'its template is at fault (“its fee of 90.0001% is more than the contract allows”)',
    )
    expect(words('LPFeeTooHigh(uint24 maxFee, uint256 fee)', [150_000, 200_000n])).toBe(
      'its template is at fault (“its fee of 20% is more than the contract allows”)',
    )
    const minting = 'MaxYearlyMintRateExceeded(uint256 amount, uint256 limit)'
    expect(words(minting, [50_000_000_000_000_000n, 20_000_000_000_000_000n])).toBe(
      'its template is at fault (“minting of 5% a year is more than the 2% that the contract allows”)',
    )
  })

  test('of a hook is found in what Uniswap wraps around it', () => {
    const inner = reverting('CannotSwapBeforeStartingTime()')
    const hook = `0x${'42'.repeat(20)}`
    const wrapped = 'WrappedError(address target, bytes4 selector, bytes reason, bytes details)'
    const once = reverting(wrapped, [hook, '0x575e24b4', inner, '0xa9e35b2f'])
    expect(explainRevert(once)).toEqual({
      name: 'CannotSwapBeforeStartingTime',
      words: t('refused-not-started'),
      blame: 'time',
    })
    expect(
      explainRevert(reverting('Wrap__FailedHookCall(address hook, bytes reason)', [hook, inner])),
    ).toEqual(explainRevert(once))
    const mute = reverting(wrapped, [hook, '0x575e24b4', '0x', '0x'])
    expect(explainRevert(mute)).toMatchObject({ name: 'WrappedError', blame: 'other' })
    let deep = inner
    for (let layer = 0; layer < 50; layer++)
      deep = reverting(wrapped, [hook, '0x575e24b4', deep, '0x'])
    expect(explainRevert(deep)).toMatchObject({ name: 'WrappedError', blame: 'other' })
  })

  test('without data is most likely one of the template', () => {
    expect(explainRevert('0x')).toEqual({
      words: t('refused-silent'),
      blame: 'template',
    })
  })

  test('with a text is that text, quoted, bounded and without invisible characters', () => {
    expect(words('Error(string message)', ['not today'])).toBe('“not today”')
    expect(words('Error(string message)', [`a\u202eb\n${'x'.repeat(1000)}`])).toMatch(
      /^“a\\u\{202e\}b\\u\{a\}x{150,160}…”$/u,
    )
    expect(words('Error(string message)', ['TRANSFER_FAILED'])).toContain('limit on balances')
    expect(explainRevert(reverting('Error(string message)', ['TRANSFER_FAILED']))).toMatchObject({
      blame: 'template',
    })
  })

  test('that is unknown is named by its selector', () => {
    expect(explainRevert('0xdeadbeef')).toEqual({
      words: t('refused-unknown', { error: { code: '0xdeadbeef' } }),
      blame: 'other',
    })
    expect(plainText(explainRevert('0xde').words)).toContain('0xde')
    expect(words('Panic(uint256 code)', [17n])).toBe('an error in the contract, Panic(17)')
    // The right selector with values cut off.
    expect(explainRevert('0x0887f672')).toMatchObject({ blame: 'other' })
  })
})

test('the data of a revert are found however a node wraps them', () => {
  const data = encodeAbiParameters([{ type: 'uint256' }], [7n])
  for (const given of [data, { data }, { data: { data } }, `Reverted ${data}`]) {
    expect(revertData(given)).toBe(data)
  }
  for (const given of [undefined, null, 7, 'execution reverted', {}, { data: null }]) {
    expect(revertData(given)).toBe('0x')
  }
})
