import type { Browser, Page } from 'playwright-core'
import { type Address, createPublicClient, getAddress, type Hex, http, parseAbi } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../../../../sandbox/browser.ts'
import { type LocalChain, startChain } from '../../../../sandbox/chain/chain.ts'
import type { WalletOptions } from '../../../../sandbox/wallet/options.ts'
import { launchAbi } from '../../../../src/chain/airlock/abi.ts'
import { modulesSchema } from '../../../../src/launch/settings.ts'
import type { SigningAccount, SigningRequest } from '../../../../src/launch/signing-wire.ts'
import { installWallet } from '../../../wallet.ts'
import { launchCalldata, launcher, otter, requestFor } from './payload.ts'
import { type Site, startSite } from './site.ts'
import { stage, Visits } from './visit.ts'

const chainId = 84532
let site: Site
let browser: Browser
let visits: Visits
let chain: LocalChain

beforeAll(async () => {
  const starting = startChain({ chainId, launcher: { to: launcher, airlock: launcher } })
  ;[site, browser, chain] = await Promise.all([startSite(), launchBrowser(), starting])
  visits = new Visits(browser)
})
afterAll(async () => {
  await browser?.close()
  await site?.stop()
  await chain?.stop()
})
afterEach(() => visits.end())

function node() {
  return createPublicClient({ transport: http(chain.rpcUrl) })
}

function owner(): Address {
  const [first] = chain.accounts
  if (!first) throw new Error('the chain has no accounts')
  return first.address
}

/** A payload that launches on the local chain, with the address that its token will have. */
async function launchable(): Promise<SigningRequest & { token: Address }> {
  const data = launchCalldata(otter, chain.standard)
  const { data: result } = await node().call({ to: launcher, data })
  if (!result) throw new Error('the launch can not be simulated')
  const token = getAddress(`0x${result.slice(26, 66)}`)
  const modules = modulesSchema.parse({ [chainId]: chain.modules })[chainId]
  return { ...(await requestFor(data, { modules, token })), token }
}

async function open(
  request: Partial<SigningRequest>,
  wallet: Partial<WalletOptions> = {},
): Promise<{ page: Page; token: string }> {
  const token = site.add(request)
  const accounts = chain.accounts.map(({ address }) => address)
  const page = await visits.open(`${site.url}/s/${token}`, (context) =>
    installWallet(context, { rpcUrl: chain.rpcUrl, chain: chainId, accounts, ...wallet }),
  )
  return { page, token }
}

const approve = (page: Page) => page.getByRole('button', { name: 'Approve' }).click()
const sign = (page: Page) => page.getByRole('button', { name: 'Sign and launch' })

async function connect(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sandbox wallet' }).click()
}

const erc20 = parseAbi([
  'function name() view returns (string)',
  'function symbol() view returns (string)',
])

test('a launch goes from the link to a token on the chain, also where the bot has no node', async () => {
  const request = await launchable()
  const { page, token } = await open(request, { on: 1 })
  await connect(page)
  await approve(page)
  await stage(page, 'Switch to Base Sepolia')
  await page.getByRole('button', { name: 'Switch to Base Sepolia' }).click()
  await approve(page)
  await stage(page, 'Ready to sign')
  await sign(page).click()
  await approve(page)
  await stage(page, 'Launched')
  expect((await page.locator('#steps').innerText()).toLowerCase()).toContain(
    request.token.toLowerCase(),
  )

  const contract = { address: request.token, abi: erc20 }
  expect(await node().readContract({ ...contract, functionName: 'name' })).toBe('Moon Otter')
  expect(await node().readContract({ ...contract, functionName: 'symbol' })).toBe('OTTER')
  const [reported] = site.signingService.reports.filter((each) => each.token === token)
  const { input, value, to } = await node().getTransaction({ hash: reported?.hash as Hex })
  expect({ input, value, to }).toEqual({
    input: request.data,
    value: 0n,
    to: launcher.toLowerCase(),
  })
})

test('works by keyboard alone', async () => {
  const { page } = await open(await launchable())
  const focused = () => page.evaluate('document.activeElement.textContent')
  const tabTo = async (name: string) => {
    for (let presses = 0; presses < 40; presses += 1) {
      await page.keyboard.press('Tab')
      if (String(await focused()).includes(name)) return
    }
    throw new Error(`the keyboard does not reach ${name}`)
  }
  await page.getByRole('button', { name: 'Sandbox wallet' }).waitFor()
  await tabTo('Sandbox wallet')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  await page.keyboard.press('Enter')
  await stage(page, 'Ready to sign')
  await page.waitForFunction(`document.activeElement.id === 'panel-title'`)
  await tabTo('Sign and launch')
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  await page.keyboard.press('Enter')
  await stage(page, 'Launched')
})

test('what happens is said to those who do not see it', async () => {
  const { page } = await open(await launchable(), { approval: 'always' })
  await connect(page)
  await stage(page, 'Ready to sign')
  expect(await page.locator('#said').textContent()).toBe('Ready to sign')
  expect(await page.locator('#said').getAttribute('role')).toBe('status')
  expect(await page.locator('#notice').getAttribute('role')).toBe('status')
})

test('pressing Sign twice at once sends one transaction', async () => {
  const { page, token } = await open(await launchable(), { approval: 'always' })
  const before = await node().getTransactionCount({ address: owner() })
  await connect(page)
  await stage(page, 'Ready to sign')
  await page.evaluate(`{
    const button = document.querySelector('[data-action=sign]')
    button.click(); button.click()
    document.querySelector('[data-action=sign]').click()
  }`)
  await stage(page, 'Launched')
  expect(await node().getTransactionCount({ address: owner() })).toBe(before + 1)
  expect(site.signingService.reports.filter((each) => each.token === token)).toHaveLength(1)
})

test('a refusal in the wallet stays on the page, and Sign works again', async () => {
  const { page } = await open(await launchable())
  await connect(page)
  await approve(page)
  await sign(page).click()
  await page.getByRole('button', { name: 'Reject' }).click()
  await page
    .locator('#notice', { hasText: 'You refused in the wallet, and nothing was sent' })
    .waitFor()
  await sign(page).click()
  await approve(page)
  await stage(page, 'Launched')
})

test('without enough for the gas it names the chain’s coin', async () => {
  const poor = '0x0773E25C1B5d4A3F9e8C7d6B5a49382716F5A10e'
  const signers: SigningAccount[] = [{ account: poor, state: 'allowed' }]
  const request = { ...(await launchable()), progress: { signers, launched: false } }
  const { page } = await open(request, { approval: 'always', accounts: [poor] })
  await connect(page)
  await sign(page).click()
  await page.locator('#notice', { hasText: 'not enough ETH on Base Sepolia' }).waitFor()
})

test('a transaction that the chain refuses is told, and can be tried again', async () => {
  const { token } = await launchable()
  const data = launchCalldata(otter)
  await expect(
    node().simulateContract({
      address: launcher,
      abi: launchAbi,
      functionName: 'create',
      data,
    } as never),
  ).rejects.toThrow()
  const { page } = await open(await requestFor(data, { token }), { approval: 'always' })
  await connect(page)
  await sign(page).click()
  await stage(page, 'The chain refused it')
  await page.getByRole('button', { name: 'Try again' }).click()
  await stage(page, 'Ready to sign')
})

describe('a transaction that is not found for a while', () => {
  async function missing(sending: 'replaced' | 'dropped', verified = true) {
    const token = site.add({ ...(await launchable()), verified })
    const accounts = [owner()]
    const page = await visits.open('about:blank', (context) =>
      installWallet(context, {
        rpcUrl: chain.rpcUrl,
        chain: chainId,
        accounts,
        approval: 'always',
        sending,
      }),
    )
    await page.clock.install()
    await page.goto(`${site.url}/s/${token}`)
    await connect(page)
    await sign(page).click()
    await stage(page, 'Sent')
    await page.clock.runFor(100_000)
    await stage(page, 'not to be found')
    return { page, token }
  }

  test('is said to be dropped or replaced, and is launched once the bot sees the token', async () => {
    const { page, token } = await missing('replaced')
    await page.getByText('It may have been dropped, or replaced').waitFor()
    site.signingService.close(token, { state: 'launched' })
    await page.getByRole('button', { name: 'Look again' }).click()
    await stage(page, 'Launched')
  })

  test('is promised to launch only once where it was verified, and only there', async () => {
    const once = 'Sending again can’t launch the token twice'
    await (await missing('dropped')).page.getByText(once).waitFor()
    const { page } = await missing('dropped', false)
    await page.getByText('sending again may do twice what it does').waitFor()
    expect(await page.getByText(once).count()).toBe(0)
  })

  test('can be sent again when it launched nothing', async () => {
    const { page } = await missing('dropped')
    await page.getByRole('button', { name: 'Send again' }).click()
    await stage(page, 'Ready to sign')
    await page.reload()
    await stage(page, 'Ready to sign')
  })

  test('is not sent again when the token stands after all', async () => {
    const { page, token } = await missing('dropped')
    site.signingService.close(token, { state: 'launched' })
    await page.getByRole('button', { name: 'Send again' }).click()
    await stage(page, 'Launched')
  })
})
