import type { Browser } from 'playwright-core'
import { encodeAbiParameters, encodeFunctionData, type Hex, parseUnits } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../../../sandbox/browser.ts'
import { launchAbi } from '../../../src/chain/airlock/abi.ts'
import { type CreateParams, decodeCreate } from '../../../src/chain/airlock/calldata.ts'
import { dynamicData, poolLayouts, tokenLayouts } from '../../chain/airlock/sample.ts'
import {
  launchCalldata,
  other,
  otter,
  protocol,
  signingRequest,
  someModules,
  wallet,
} from './payload.ts'
import { type Site, startSite } from './site.ts'
import { connected, withTableWallet } from './table-wallet.ts'
import { stage, Visits } from './visit.ts'

let site: Site
let browser: Browser
let visits: Visits

beforeAll(async () => {
  ;[site, browser] = await Promise.all([startSite(), launchBrowser()])
  visits = new Visits(browser)
})
afterAll(async () => {
  await browser?.close()
  await site?.stop()
})
afterEach(() => visits.end())

const at = (token: string) => `${site.url}/s/${token}`

function paramsOf(data: Hex): CreateParams {
  const params = decodeCreate(data)
  if (!params) throw new Error('this is no launch')
  return params
}

/** A launch of the otter with other parameters. */
function changed(change: Partial<CreateParams>): Hex {
  const params = { ...paramsOf(launchCalldata(otter, someModules)), ...change }
  return encodeFunctionData({ abi: launchAbi, functionName: 'create', args: [params] })
}

describe('what will be created', () => {
  test('has what can thin out, hold up or redirect, and the largest share before the small ones', async () => {
    const data = changed({
      tokenFactoryData: encodeAbiParameters(tokenLayouts.DopplerERC20V1, [
        otter.name,
        otter.symbol,
        [],
        [],
        [],
        [],
        otter.uri,
        parseUnits('2000', 18),
        1_800_000_000,
        other,
        [protocol],
      ]),
      poolInitializerData: encodeAbiParameters(poolLayouts.hook, [
        {
          fee: 0,
          tickSpacing: 1,
          farTick: 0,
          curves: [],
          beneficiaries: [
            { beneficiary: protocol, shares: parseUnits('0.01', 18) },
            { beneficiary: other, shares: parseUnits('0.99', 18) },
          ],
          dopplerHook: someModules.poolInitializer,
          onInitializationData: '0x1234',
          graduationData: '0x',
        },
      ]),
      liquidityMigratorData: `0x${'00'.repeat(1024)}`,
      governanceFactoryData: '0x12',
    })
    const page = await visits.open(at(site.add(signingRequest({ data }))))
    await page.getByText('99 %').waitFor()
    const text = await page.locator('#summary').innerText()
    expect(text.indexOf('99 %')).toBeLessThan(text.indexOf('1 %\n'))
    for (const words of [
      'has a say over the token',
      /2,000, until \d+ Jan 2027/u,
      'takes part in each trade; has data of its own, which are not read here (2 bytes)',
      'has data of its own, which are not read here (1,024 bytes)',
      'has data of its own, which are not read here (1 bytes)',
    ]) {
      expect(text).toMatch(words)
    }
  })

  test('says how much can be minted later, and that a pool does not tell of the fees', async () => {
    const { name, symbol, uri } = otter
    const values = [name, symbol, parseUnits('10', 18), 0n, [], [], uri] as const
    const data = changed({
      tokenFactoryData: encodeAbiParameters(tokenLayouts.DERC20, values),
      poolInitializerData: dynamicData(1_800_000_000n, 1_900_000_000n),
    })
    const page = await visits.open(at(site.add(signingRequest({ data }))))
    await page.getByText('up to 1000 % of the supply a year').waitFor()
    await page.getByText('not told in these data', { exact: true }).waitFor()
  })

  test.each([
    ['that it is unknown who gets the fees', '0x1234', 'can’t read who gets the fees'],
    ['that it is not what was confirmed', undefined, 'does not give what was confirmed'],
  ] as const)('that is not verified says %s', async (_, pool, words) => {
    const data = changed(pool ? { poolInitializerData: pool } : {})
    const request = signingRequest({ data, verified: false })
    const page = await visits.open(at(site.add(request)), withTableWallet(connected(wallet)))
    await page.getByText(words).waitFor()
    await page.getByRole('button', { name: 'Table wallet' }).click()
    await stage(page, 'Not verified')
  })
})

describe('what the bot says and the calldata does not', () => {
  test('blocks signing when it can’t be read who gets the fees of a launch that was verified', async () => {
    const { poolInitializerData } = paramsOf(launchCalldata(otter, someModules))
    const data = changed({ poolInitializerData: `${poolInitializerData}${'00'.repeat(32)}` })
    const page = await visits.open(at(site.add(signingRequest({ data }))))
    await stage(page, 'Do not sign this')
    await page.getByText('Who gets the fees can’t be read').waitFor()
  })
})
