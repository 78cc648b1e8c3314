import { type Hex, isHex, keccak256 } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LocalChain, startChain } from '../../sandbox/chain/chain.ts'
import { club, ada as discordAda } from '../../sandbox/discord/cast.ts'
import { KuboServer } from '../../sandbox/ipfs/kubo.ts'
import { discordText } from '../e2e/discord-message.ts'
import { type Harness, startHarness } from '../e2e/harness.ts'
import { picture } from '../e2e/launch-steps.ts'
import { type ChatUser, DiscordUser, TelegramUser } from '../e2e/users.ts'
import { walletOn } from '../unit/chain/on-chain.ts'

// A bot whose settings are a key, a platform's token and a chain: the API lists the templates and takes the pictures.

const chainId = 8453
const airlock = '0x660eAaEdEBc968f8f3694354FA8EC0b4c5Ba8D12'
const launcher = { to: airlock, airlock } as const
const friend = '0x52908400098527886E0F7030069857D2E4169EE7'

let chain: LocalChain
let harness: Harness
let ipfs: KuboServer
beforeAll(async () => {
  chain = await startChain({ chainId, launcher })
  ipfs = await KuboServer.start()
  harness = await startHarness({
    apiServer: { chains: [chainId], local: [{ ...chain, launcher }], ipfs },
    env: { CHAINS: String(chainId) },
  })
})
afterAll(async () => {
  await harness?.stop()
  await ipfs?.stop()
  await chain?.stop()
})

function account(): string {
  const [first] = chain.accounts
  if (!first) throw new Error('the chain has no accounts')
  return first.address
}

/** Answers on Telegram: vesting by percentage and by amount, and a part of the fees for a friend. */
async function answersByTyping(ada: TelegramUser, name: string, symbol: string, split: string) {
  await ada.says(`name: ${name}\nsymbol: ${symbol}\nwallet: ${account()}`)
  await ada.sees('Description')
  await ada.presses('Skip')
  await ada.sees('Logo')
  await ada.sends(await picture())
  await ada.sees('This is how your logo will look')
  await ada.presses('Use it')
  for (const question of ['Links', 'Categories']) {
    await ada.sees(question)
    await ada.presses('Skip')
  }
  await ada.sees('Vesting')
  await ada.says(`${friend} 5%`)
  await ada.sees('Fee split')
  await ada.says(`${friend} ${split}`)
}

/** Answers the same on Discord, in its forms. */
async function answersInForms(ada: DiscordUser, name: string, symbol: string, split: string) {
  await ada.fills({ name, symbol, pictureFile: await picture() })
  await ada.sees('This is how your logo will look')
  await ada.presses('Use it')
  await ada.sees('Links')
  await ada.presses('Skip')
  await ada.sees('Categories')
  await ada.presses('Skip')
  await ada.sees('Wallet')
  await ada.fills({
    wallet: account(),
    vesting: `${friend} 5%`,
    beneficiaries: `${friend} ${split}`,
  })
}

/** The first and last characters of the digest that the chat shows (ERC-8213). */
function digestOf(data: Hex): RegExp {
  const length = ((data.length - 2) / 2).toString(16).padStart(64, '0')
  const digest = keccak256(`0x${length}${data.slice(2)}`)
  return new RegExp(`${digest.slice(0, 6)} ${digest.slice(6, 10)} … .*${digest.slice(-4)}`, 'u')
}

/** On Telegram the files are messages of their own, so that the steps stay above them; on Discord the answer has both. */
async function leavesNoStepOpen(ada: ChatUser, name: string) {
  if (ada.platform === 'telegram') await ada.sees('Built', name, '✅ Check')
  const { people } = harness.discord
  const shown = people.messages(club.id, discordAda.id).map((message) => discordText(message))
  expect(shown.filter((text) => text.includes('⏳'))).toEqual([])
}

/** Confirms the review, and signs what is handed out with the wallet. */
async function confirmsAndSigns(ada: ChatUser, token: { name: string; symbol: string }) {
  await ada.presses('Confirm')
  const ready = await ada.sees('Ready to sign', token.name)
  expect(ready).not.toContain('Not verified')
  await leavesNoStepOpen(ada, token.name)
  const data = harness.apiServer.launches.built.at(-1)?.result.encoded_payload
  if (!isHex(data)) throw new Error('nothing was built')
  expect(ready).toMatch(digestOf(data))
  const { status } = await walletOn(chain).send(airlock, data)
  expect(status).toBe('success')
  await ada.hears('Launched', token.name, token.symbol)
}

const platforms = [
  {
    platform: 'Telegram',
    token: { name: 'Typed Heron', symbol: 'TYPED' },
    answers: async (template: string, split: string) => {
      const ada = new TelegramUser(harness)
      await ada.says('/launch')
      await ada.sees('Template', 'Standard curve', 'Most of the trading fees go to the app.')
      await ada.presses(template)
      await ada.sees('Name')
      await answersByTyping(ada, 'Typed Heron', 'TYPED', split)
      return ada
    },
  },
  {
    platform: 'Discord',
    token: { name: 'Formed Heron', symbol: 'FORMED' },
    answers: async (template: string, split: string) => {
      const ada = new DiscordUser(harness)
      await ada.says('/launch')
      await ada.sees('Template', 'Standard curve', 'Most of the trading fees go to the app.')
      await ada.presses(template)
      await ada.sees('Name')
      await answersInForms(ada, 'Formed Heron', 'FORMED', split)
      return ada
    },
  },
] as const

test.each([
  { ...platforms[0], template: 'Standard curve', split: '35%', own: '60%', preset: '5%' },
  { ...platforms[1], template: 'Shared fees', split: '10%', own: '25%', preset: '60%' },
])(
  'on $platform a launch with vesting, split fees and a picture is verified and signed, by the template $template',
  async ({ answers, template, token, split, own, preset }) => {
    const ada = await answers(template, split)
    await ada.sees('Review', token.name, '5%', own, split, preset)
    await confirmsAndSigns(ada, token)
    const { uploaded, pictures, built } = harness.apiServer.launches
    expect(uploaded.at(-1)?.asked).toMatchObject({
      image_hash: pictures.at(-1)?.cid,
      social_links: [],
      vesting_recipients: [{ address: friend, amount: 50_000_000, percentage: 5 }],
    })
    expect(pictures.at(-1)?.type).toBe('image/jpeg')
    const shares = built.at(-1)?.asked.metadata.beneficiaries ?? []
    expect(new Map(shares.map((each) => [each.beneficiary, each.shares]))).toEqual(
      new Map([
        [friend, `${Number.parseInt(split, 10)}0000000000000000`],
        [account(), `${Number.parseInt(own, 10)}0000000000000000`],
      ]),
    )
  },
)
