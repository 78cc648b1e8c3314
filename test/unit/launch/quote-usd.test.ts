import { afterEach, describe, expect, test } from 'vitest'
import { Api } from '../../../src/api/client.ts'
import { defaultUnits } from '../../../src/api/units.ts'
import { quoteUsd } from '../../../src/launch/check-built.ts'
import { defaultTables, httpServer, nowhere, silent, type TestServer } from '../api/server.ts'
import { somebody } from '../chain/airlock/sample.ts'
import { fullAsset } from '../views/sample.ts'

const weth = '0x4200000000000000000000000000000000000006'
const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const units = { ...defaultUnits, pool_current_price: 'numeraire18' } as const

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** An asset that is sold for this much of the quote token, in base units, and for so many dollars. */
function priced(inQuote: string, inDollars: string) {
  const { auction_pool: pool } = fullAsset
  return {
    ...fullAsset,
    graduation_pool: null,
    auction_pool: {
      ...pool,
      pool_current_sqrt_price: null,
      pool_current_price: inQuote,
      pool_market_data: { ...pool.pool_market_data, pool_price: inDollars },
    },
  }
}

/** One at which a quote token is worth this much. */
function worth(dollars: number) {
  return priced('1000000000000', (dollars / 1e6).toFixed(20))
}

function rateAt(baseUrl: string, quote: `0x${string}` = weth) {
  const api = new Api({
    baseUrl,
    key: 'a-key',
    ...defaultTables,
    units,
    chains: [8453],
    log: silent,
    now: () => 0,
    retryPauseMs: 1,
  })
  closing.push(() => api.close())
  return quoteUsd({ api, units }, 8453, quote)
}

/** An API that has these assets. */
async function selling(items: readonly object[]): Promise<TestServer> {
  const own = items.map((item, index) => ({ ...item, asset_address: somebody(`asset ${index}`) }))
  const server = await httpServer(({ url }, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ result: url?.includes('chainId=8453') ? own : [] }))
  })
  closing.push(() => server[Symbol.asyncDispose]())
  return server
}

describe('what a quote token is worth in dollars', () => {
  test('is computed from the assets that are sold for it', async () => {
    const server = await selling([worth(3000), worth(3010), worth(2990)])
    expect(Number(await rateAt(server.url))).toBeCloseTo(3000, 0)
    const asked = server.requests.map(({ url }) => new URL(url, server.url))
    expect(asked.map(({ searchParams }) => searchParams.get('numeraire'))).toContain(weth)
  })

  test('is a dollar for USDC, without a request', async () => {
    const server = await selling([worth(3000)])
    expect(await rateAt(server.url, usdc)).toBe('1')
    expect(server.requests).toEqual([])
  })

  test.each<[string, object[]]>([
    ['no asset says so', []],
    ['an asset has no price in both', [priced('0', '1')]],
    ['the assets disagree', [worth(3000), worth(3000), worth(1500), worth(1500)]],
    ['they are in another unit', [worth(1e12)]],
    ['they are worth nothing', [worth(1e-12)]],
  ])('is unknown if %s', async (_, items) => {
    expect(await rateAt((await selling(items)).url)).toBeUndefined()
  })

  test('is the median, if one asset is far off', async () => {
    const items = [worth(3000), worth(3001), worth(3002), worth(3003), worth(90)]
    expect(Number(await rateAt((await selling(items)).url))).toBeCloseTo(3001, 0)
  })

  test('ignores an asset with an impossible price of ether', async () => {
    const items = [worth(3000), worth(3001), worth(3002), worth(9), worth(9)]
    expect(Number(await rateAt((await selling(items)).url))).toBeCloseTo(3001, 0)
  })

  test('is unknown if the API can’t be reached', async () => {
    expect(await rateAt(await nowhere())).toBeUndefined()
  })
})
