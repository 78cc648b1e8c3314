import { afterEach, expect, it } from 'vitest'
import { NoChainError } from '../../sandbox/chain/anvil.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/sandbox.ts'
import { news } from '../../sandbox/telegram/cast.ts'

let sandbox: Sandbox | undefined
afterEach(async () => {
  await sandbox?.stop()
  sandbox = undefined
})

async function start(options: SandboxOptions): Promise<Sandbox> {
  sandbox = await startSandbox(options)
  const { bot } = sandbox
  await expect.poll(() => bot.status, { timeout: 20_000 }).toEqual({ state: 'ready' })
  return sandbox
}

it('has a chain, a wallet on it, and what the bot needs to launch', async () => {
  const lacks: string[] = []
  const { consoleUrl, chain, api, ipfs } = await start({ onLack: (words) => lacks.push(words) })
  expect(lacks).toEqual([])
  expect(chain?.chainId).toBe(8453)
  expect((await fetch(`${consoleUrl}/wallet.js`)).status).toBe(200)
  expect((await fetch(`${consoleUrl}/s/no-such-link`)).status).not.toBe(502)
  expect(api.launches.built).toEqual([])
  expect(ipfs.pinned).toEqual([])
})

it('says that there is no anvil, and does everything else', async () => {
  const lacks: string[] = []
  const { consoleUrl, chain } = await start({
    startChain: async () => {
      throw new NoChainError('There is no anvil here.')
    },
    onLack: (words) => lacks.push(words),
  })
  expect(lacks).toEqual([
    'There is no anvil here. Launches end at the signing page; everything else works.',
  ])
  expect(chain).toBeUndefined()
  expect((await fetch(consoleUrl)).status).toBe(200)
  expect((await fetch(`${consoleUrl}/wallet.js`)).status).toBe(404)
})

it('lets both news channels follow auctions, so that alerts arrive by themselves', {
  timeout: 120_000,
}, async () => {
  const { consoleUrl, api } = await start({})
  const texts = async (path: string) =>
    JSON.stringify(await (await fetch(`${consoleUrl}${path}`)).json())
  const telegram = `/telegram/messages?chat=${news.id}`
  const discord = '/discord/state?person=ben&place=news'
  const premiere = () =>
    api.world.tokens.filter(({ status, sold }) => status === 'live' && sold < 0.3)
  for (const path of [telegram, discord]) {
    await expect
      .poll(
        async () => {
          const shown = await texts(path)
          return premiere().some(({ address }) =>
            shown.toLowerCase().includes(address.toLowerCase()),
          )
        },
        { timeout: 60_000 },
      )
      .toBe(true)
  }
})
