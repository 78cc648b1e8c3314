import { randomBytes } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import type { WalletOptions } from '../../sandbox/wallet/server.ts'
import { installWallet } from '../wallet.ts'
import type { LaunchHarness } from './launch-harness.ts'
import type { ChatUser, TelegramUser } from './users.ts'

/** A picture that no other test has. */
export async function picture() {
  const raw = { width: 64, height: 64, channels: 3 } as const
  const bytes = await sharp(randomBytes(64 * 64 * 3), { raw })
    .png()
    .toBuffer()
  return { name: 'noise.png', type: 'image/png', bytes }
}

/** Everything is answered, most of it in one paste; the review is shown. */
export async function reviewed(
  ada: TelegramUser,
  harness: LaunchHarness,
  symbol: string,
  begin: () => Promise<void> = () => ada.says('/launch'),
  logo: () => ReturnType<typeof picture> = picture,
): Promise<void> {
  await begin()
  await ada.sees('Template')
  await ada.presses('Dutch auction')
  await ada.sees('Name')
  const [first] = harness.chain.accounts
  const answers = [`name: Crash ${symbol}`, `symbol: ${symbol}`, 'description: Falls, and gets up.']
  await ada.says([...answers, `wallet: ${first?.address}`, 'fee receiver: wallet'].join('\n'))
  await ada.sees('Logo')
  await ada.sends(await logo())
  await ada.sees('This is how your logo will look')
  await ada.presses('Use it')
  for (const question of ['Links', 'Categories', 'Vesting']) {
    await ada.sees(question)
    await ada.presses('Skip')
  }
  await ada.sees('Review', symbol)
}

/** Opens the signing link of the message last seen in a browser of its own, with a wallet in it. */
export async function opensLink(
  user: ChatUser,
  { chain }: LaunchHarness,
  browser: Browser,
  wallet: Partial<WalletOptions> = {},
): Promise<Page> {
  const label = 'Sign with your wallet '
  const control = user.controls().find((each) => each.startsWith(label))
  if (!control) throw new Error(`no link to sign: ${user.controls().join(', ')}`)
  const context = await browser.newContext()
  const { rpcUrl, chainId } = chain
  const accounts = chain.accounts.map(({ address }) => address)
  await installWallet(context, { rpcUrl, chain: chainId, accounts, ...wallet })
  const page = await context.newPage()
  await page.goto(control.slice(label.length))
  return page
}

export async function connects(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sandbox wallet' }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
}

export async function signs(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign and launch' }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
}
