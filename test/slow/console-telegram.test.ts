import { run } from '@grammyjs/runner'
import { Bot, InlineKeyboard, InputFile, Keyboard } from 'grammy'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { launchBrowser } from '../../sandbox/browser.ts'
import type { ConsoleServer } from '../../sandbox/console/server.ts'
import { ada, club, lodge } from '../../sandbox/telegram/cast.ts'
import { telegramConsole } from '../../sandbox/telegram/console.ts'
import type { TelegramServer } from '../../sandbox/telegram/server.ts'
import { startConsole, staysAtEnd } from './console-page.ts'
import { mayPost, startTelegram, token } from './sandbox/telegram-call.ts'

let telegram: TelegramServer
let web: ConsoleServer
let browser: Browser
let page: Page
let stopBot: () => Promise<void>
let faults: string[]

const hostile = '<img src=x onerror="document.title=1">'
const soon = Math.floor(Date.now() / 1000) + 7_300

beforeAll(async () => {
  browser = await launchBrowser()
})

afterAll(() => browser.close())

beforeEach(async () => {
  telegram = await startTelegram()
  web = await startConsole({ telegram: telegramConsole(telegram) })
  stopBot = await runBot()
  faults = []
  page = await browser.newPage({ viewport: { width: 1200, height: 800 } })
  page.on('pageerror', ({ message }) => faults.push(message))
  await page.goto(web.url)
})

afterEach(async () => {
  await page.close()
  await stopBot()
  await web.stop()
  await telegram.stop()
})

async function runBot(): Promise<() => Promise<void>> {
  const bot = new Bot(token, { client: { apiRoot: telegram.root } })
  const keys = new InlineKeyboard()
    .text('Refresh', 'refresh')
    .text('Alert', 'alert')
    .text('In private', 'private')
    .row()
    .url('Site', 'https://example.com/')
    .url('Add to a group', 'https://t.me/gavel_bot?startgroup')
  bot.command('start', (context) => context.reply(`Hello ${context.from?.first_name}`))
  bot.command('card', (context) =>
    context.reply(
      `<b>Otter</b> ends <tg-time unix="${soon}" format="r">then</tg-time> <tg-spoiler>boo</tg-spoiler>`,
      { parse_mode: 'HTML', reply_markup: keys },
    ),
  )
  bot.command('pick', (context) =>
    context.reply('Which channel?', {
      reply_markup: new Keyboard()
        .requestChat('Pick one', 1, { chat_is_channel: true, user_administrator_rights: mayPost })
        .oneTime(),
    }),
  )
  bot.command('name', (context) => context.reply(hostile))
  bot.on('message:photo', (context) =>
    context.replyWithDocument(new InputFile(Buffer.from('{}'), 'payload.json'), {
      caption: `got ${context.message.photo.length > 0 ? 'a photo' : 'none'}`,
      reply_markup: new InlineKeyboard().url('Sign', `${web.url}/sample.png?signing`),
    }),
  )
  bot.callbackQuery('refresh', async (context) => {
    await context.editMessageText('fresh', { reply_markup: keys })
    await context.answerCallbackQuery('Up to date')
  })
  bot.callbackQuery('alert', (context) =>
    context.answerCallbackQuery({ text: 'Mind this', show_alert: true }),
  )
  bot.callbackQuery('private', (context) =>
    context.answerCallbackQuery({ url: `https://t.me/${context.me.username}?start=otter` }),
  )
  bot.on('my_chat_member', async (context) => {
    const { status } = context.myChatMember.new_chat_member
    if (status === 'member') await context.reply('Hello everybody')
  })
  bot.on('inline_query', (context) =>
    context.answerInlineQuery([
      {
        type: 'article',
        id: '1',
        title: `Send ${context.inlineQuery.query}`,
        input_message_content: { message_text: 'from inline' },
      },
    ]),
  )
  await bot.init()
  await bot.api.setMyCommands([
    { command: 'card', description: 'Show a card' },
    { command: 'name', description: 'Show a name' },
  ])
  const runner = run(bot)
  return () => runner.stop()
}

const panel = () => page.locator('[data-panel="telegram"]')
const bubbles = () => panel().locator('.bubble')

async function say(text: string): Promise<void> {
  await panel().getByLabel('Message', { exact: true }).fill(text)
  await page.keyboard.press('Enter')
}

async function start(): Promise<void> {
  await panel().getByRole('button', { name: 'Start', exact: true }).click()
  await bubbles().getByText('Hello Ada').waitFor()
}

test('a person starts the bot, writes, presses and sees edits as they happen', async () => {
  await start()
  await say('/card')
  await bubbles().getByText('in 2 hours').waitFor()
  await panel().getByRole('button', { name: 'Refresh' }).click()
  await bubbles().getByText('fresh').waitFor()
  await panel().getByText('Up to date').waitFor()
  await panel().getByText('edited').waitFor()
  await panel().getByRole('button', { name: 'Alert' }).click()
  await panel().getByRole('dialog').getByText('Mind this').waitFor()
  await panel().getByRole('button', { name: 'OK', exact: true }).click()
  const texts = telegram.people.messages(ada.id).map(({ text }) => text)
  expect(texts).toEqual(['/start', 'Hello Ada', '/card', 'fresh'])
  expect(faults).toEqual([])
})

test('the command menu sends a command, and markup in its answer stays text', async () => {
  await start()
  await panel().getByRole('button', { name: 'Commands' }).click()
  await panel().getByText('Show a card').waitFor()
  await panel().getByRole('option', { name: '/name Show a name' }).click()
  await bubbles().getByText(hostile).waitFor()
  expect(await panel().locator('.messages img').count()).toBe(0)
  expect(await page.title()).toBe('Gavel sandbox')
})

test('a picture is sent, a file is answered with its name, and a button opens a page of this machine', async () => {
  await start()
  const sample = await fetch(`${web.url}/sample.png`)
  const buffer = Buffer.from(await sample.arrayBuffer())
  const file = { name: 'otter.png', mimeType: 'image/png', buffer }
  await panel().getByLabel('Attach a file').setInputFiles(file)
  await panel().locator('.own img').waitFor()
  const document = panel().getByRole('link', { name: /payload\.json/ })
  const [download] = await Promise.all([page.waitForEvent('download'), document.click()])
  expect(download.suggestedFilename()).toBe('payload.json')
  const opened = page.context().waitForEvent('page')
  await panel().getByRole('button', { name: 'Sign' }).click()
  const signing = await opened
  await signing.close()
  expect(faults).toEqual([])
})

test('what stands in the box is the caption of a picture that is attached', async () => {
  await start()
  const caption = '/launch OTTER "Moon Otter"'
  const box = panel().getByLabel('Message', { exact: true })
  await box.fill(caption)
  const buffer = Buffer.from(await (await fetch(`${web.url}/sample.png`)).arrayBuffer())
  const file = { name: 'otter.png', mimeType: 'image/png', buffer }
  await panel().getByLabel('Attach a file').setInputFiles(file)
  await panel().locator('.own', { hasText: caption }).locator('img').waitFor()
  expect(await box.inputValue()).toBe('')
})

test('inline results are listed while typing, and one is sent into the group', async () => {
  await panel().getByRole('button', { name: 'Otter Club' }).click()
  await panel().getByRole('button', { name: 'Ben' }).click()
  await panel().getByLabel('Message', { exact: true }).fill('@gavel_bot otters')
  await panel().getByText('Send otters').click()
  await bubbles().getByText('from inline').waitFor()
  expect(telegram.people.messages(club.id)).toMatchObject([
    { text: 'from inline', viaBot: 'gavel_bot', sender: { name: 'Ben' } },
  ])
  expect(faults).toEqual([])
})

test('messages, inline results and attachments stay in their topic', async () => {
  await panel().getByRole('button', { name: 'Otter Lodge' }).click()
  await panel().getByRole('button', { name: 'Launches' }).click()
  await say('hello')
  await bubbles().getByText('hello').waitFor()
  await panel().getByLabel('Message', { exact: true }).fill('@gavel_bot otters')
  await panel().getByText('Send otters').click()
  await bubbles().getByText('from inline').waitFor()
  const buffer = Buffer.from(await (await fetch(`${web.url}/sample.png`)).arrayBuffer())
  const attach = panel().getByLabel('Attach a file')
  await attach.setInputFiles({ name: 'otter.png', mimeType: 'image/png', buffer })
  await panel().locator('.own img').waitFor()
  await attach.setInputFiles({ name: 'otter.txt', mimeType: 'text/plain', buffer })
  await bubbles().getByText('otter.txt').waitFor()
  const threads = telegram.people.messages(lodge.id).map(({ thread }) => thread)
  expect(threads.length).toBeGreaterThanOrEqual(4)
  expect(new Set(threads)).toEqual(new Set([2]))
  expect(faults).toEqual([])
})

test('a member cannot write in the channel', async () => {
  await panel().getByRole('button', { name: 'Otter News' }).click()
  await panel().getByLabel('Message', { exact: true }).waitFor()
  await panel().getByRole('button', { name: 'Ben' }).click()
  await panel().getByText('Only administrators can post here').waitFor()
})

test('the chat picker says so to a person who manages no channel', async () => {
  await start()
  await panel().getByRole('button', { name: 'Ben' }).click()
  await panel().getByRole('button', { name: 'Start', exact: true }).click()
  await bubbles().getByText('Hello Ben').waitFor()
  await say('/pick')
  await panel().getByRole('button', { name: 'Pick one' }).click()
  await panel().getByRole('dialog').getByText('You manage no channel here').waitFor()
  await panel().getByRole('dialog').getByText('Ada does').waitFor()
  await panel().getByRole('button', { name: 'OK', exact: true }).click()
  await panel().getByRole('button', { name: 'Ada' }).click()
  await say('/pick')
  await panel().getByRole('button', { name: 'Pick one' }).click()
  await panel().getByRole('dialog').getByText('Otter News').waitFor()
  expect(faults).toEqual([])
})

test('the bot’s keyboard, once closed, is opened again by its button in the message box', async () => {
  await start()
  const back = panel().getByRole('button', { name: 'Bot keyboard' })
  expect(await back.isVisible()).toBe(false)
  await say('/pick')
  const pick = panel().getByRole('button', { name: 'Pick one' })
  await pick.click()
  await panel().getByRole('button', { name: 'Cancel' }).click()
  await pick.waitFor({ state: 'hidden' })
  await back.click()
  await pick.click()
  await panel().getByRole('dialog').getByText('Otter News').click()
  await back.click()
  await back.click()
  await pick.waitFor({ state: 'hidden' })
  expect(faults).toEqual([])
})

test('an answer with a link to the bot opens the private chat with its parameter', async () => {
  await start()
  await panel().getByRole('button', { name: 'Otter Club' }).click()
  await say('/card')
  await panel().getByRole('button', { name: 'In private' }).click()
  await bubbles().filter({ hasText: '/start otter' }).waitFor()
  expect(telegram.people.messages(ada.id).map(({ text }) => text)).toContain('/start otter')
  expect(await panel().getByRole('dialog').count()).toBe(0)
  expect(page.context().pages()).toHaveLength(1)
  expect(faults).toEqual([])
})

test('a link that adds the bot to a group lets a person choose one, and shows its greeting there', async () => {
  await start()
  await say('/card')
  await panel().getByRole('button', { name: 'Add to a group' }).click()
  const dialog = panel().getByRole('dialog')
  await dialog.getByRole('button', { name: 'Otter Lodge' }).waitFor()
  expect(await dialog.getByRole('button', { name: 'Otter News' }).count()).toBe(0)
  await dialog.getByRole('button', { name: 'Otter Club' }).click()
  await bubbles().getByText('Hello everybody').waitFor()
  await panel().getByText('3 members').waitFor()
  expect(page.context().pages()).toHaveLength(1)
  await panel().getByRole('button', { name: 'Gavel', exact: true }).click()
  await panel().getByRole('button', { name: 'Ben', exact: true }).click()
  await panel().getByRole('button', { name: 'Start', exact: true }).click()
  await say('/card')
  await panel().getByRole('button', { name: 'Add to a group' }).click()
  await dialog.getByText('You manage no group here').waitFor()
  expect(faults).toEqual([])
})

test('the description of the bot’s profile is shown before its first message, and its @username, which inline mode needs', async () => {
  await fetch(`${telegram.root}/bot${token}/setMyDescription?description=Finds%20tokens.`)
  await panel().getByText('Finds tokens.').waitFor()
  await start()
  await panel().locator('.title', { hasText: '@gavel_bot' }).waitFor()
})

test('of all messages one is a tab stop with its controls, and the arrow keys go to the others', async () => {
  await start()
  for (const word of ['one', 'two', 'three']) {
    await say(`/card ${word}`)
    await bubbles().getByText('in 2 hours').nth(['one', 'two', 'three'].indexOf(word)).waitFor()
  }
  const focused = () =>
    page.evaluate<string>(`(() => {
      const { activeElement: at } = document
      return at.ariaLabel ?? at.textContent.trim()
    })()`)
  const stops: string[] = []
  const box = panel().getByLabel('Message', { exact: true })
  await box.focus()
  while (stops.length < 20 && stops.at(-1) !== 'Ben') {
    await page.keyboard.press('Shift+Tab')
    stops.push(await focused())
  }
  const controls = ['Refresh', 'Alert', 'In private', 'Site', 'Add to a group']
  const around = ['Commands', 'Attach a file', 'Reply']
  expect(stops).toEqual([
    ...around,
    ...controls.toReversed(),
    'Spoiler, tap to show',
    expect.stringMatching(/^Gavel, /u),
    'Ben',
  ])
  await page.keyboard.press('Tab')
  for (const [key, author] of [
    ['ArrowUp', 'Ada'],
    ['ArrowUp', 'Gavel'],
    ['Home', 'Ada'],
    ['ArrowDown', 'Gavel'],
    ['End', 'Gavel'],
  ] as const) {
    await page.keyboard.press(key)
    expect(await focused()).toMatch(author)
  }
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  expect(await focused()).toBe('Refresh')
  // The message is edited, and whoever pressed stays on the button.
  await page.keyboard.press('Enter')
  await bubbles().getByText('fresh').waitFor()
  expect(await focused()).toBe('Refresh')
  expect(faults).toEqual([])
})

test('unblocking the bot sends /start', async () => {
  await start()
  telegram.people.block(ada.id)
  await panel().getByRole('button', { name: 'Restart bot' }).click()
  await bubbles().getByText('Hello Ada').nth(1).waitFor()
  expect(faults).toEqual([])
})

test('the list stays at its newest message, unless somebody scrolls up', async () => {
  await start()
  for (let sent = 0; sent < 4; sent += 1) await say('/card')
  await bubbles().getByText('in 2 hours').nth(3).waitFor()
  await staysAtEnd(panel().locator('.scroller'))
  expect(faults).toEqual([])
})

test('a narrow phone shows the name of every chat', async () => {
  await page.setViewportSize({ width: 320, height: 640 })
  const names = panel().locator('.place-name')
  await names.last().waitFor()
  const cut = await names.evaluateAll((all) =>
    all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent),
  )
  expect(cut).toEqual([])
  const rail = panel().locator('.places')
  expect(await rail.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0)
})

test('on a phone the chat fits the width', async () => {
  await page.setViewportSize({ width: 375, height: 700 })
  const startBar = panel().getByRole('button', { name: 'Start', exact: true })
  const { y = 0, height = 0 } = (await startBar.boundingBox()) ?? {}
  expect(y + height).toBe(700)
  await start()
  await say('/card')
  await bubbles().getByText('in 2 hours').waitFor()
  const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  expect(overflow).toBe(0)
})
