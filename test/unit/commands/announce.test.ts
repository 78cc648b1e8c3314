import { beforeEach, expect, test } from 'vitest'
import { announce } from '../../../commands/announce.ts'
import { ChatAlerts, ManagedChats } from '../../../src/alerts/chat-alerts.ts'
import { Subscriptions } from '../../../src/alerts/subscriptions.ts'
import { SendError } from '../../../src/core/adapter.ts'
import { type Context, parseLine } from '../../../src/core/command.ts'
import type { View } from '../../../src/core/view.ts'
import { discord } from '../../../src/discord/platform.ts'
import { UserError } from '../../../src/errors.ts'
import { ada, type Bot, bob, LaunchHarness } from '../launch/harness.ts'
import { payloadBody } from '../launch/payload-body.ts'
import { controls, shown } from '../views/shown.ts'
import { startCommands } from './bot.ts'

const club = '-100'
const news = '-200'
const names: Record<string, string> = { [club]: 'Otter Club', [news]: 'Otter News' }

let harness: LaunchHarness
let bot: Bot
let alerts: ChatAlerts
let managers: Record<string, readonly string[]>
let launch: string
beforeEach(async () => {
  harness = await LaunchHarness.start()
  bot = await harness.bot()
  managers = { [club]: [ada.user], [news]: [ada.user] }
  const { now } = harness
  const adapter = {
    manages: async (chat: string, person: string) => {
      if (!(chat in names)) throw new SendError('chat not found', { final: true })
      return managers[chat]?.includes(person) ?? false
    },
    title: async (chat: string) => names[chat],
    send: async () => ({ message: '1' }),
  }
  alerts = new ChatAlerts({
    subscriptions: new Subscriptions({ store: bot.store, now, perChat: 1 }),
    managed: new ManagedChats(bot.store, now),
    adapters: { telegram: adapter, discord: adapter },
    now,
  })
  launch = await launchedBy(ada)
})

async function launchedBy(who: Context): Promise<string> {
  const draft = await harness.draft(bot, {}, who)
  await bot.drafts.save({ ...draft, state: 'launched' })
  const token = harness.apiServer.world.tokens.find(({ chain }) => chain === 8453)?.address
  const payload = await bot.payloads.create(draft.id, { ...payloadBody, token })
  await bot.payloads.change(payload.id, (each) => ({ ...each, state: 'launched' }))
  return payload.id
}

async function says(line: string, context = ada): Promise<View> {
  const commands = await startCommands()
  try {
    const services = { ...commands.services, alerts, launches: bot.launches }
    return await announce.run(parseLine(line), services, context, async () => undefined)
  } finally {
    await commands.stop()
  }
}

function presses(view: View, label: string, context = ada): Promise<View> {
  const line = controls(view)
    .flat()
    .find((each) => each.startsWith(`${label} `))
    ?.slice(label.length + 1)
  return says(line ?? expect.unreachable(), context)
}

const refusal = (line: string, context = ada) =>
  says(line, context).then(
    () => expect.unreachable(),
    (error: unknown) => {
      if (!(error instanceof UserError)) throw error
      return error.message
    },
  )

test('a launch is posted in a chat that the person manages, after they confirmed, and once', async () => {
  await alerts.permissions({ context: ada, targetChat: news }).targetToChange()
  const list = await says(`announce ${launch}`)
  expect(controls(list)).toEqual([
    [`Otter News announce ${launch} in:${news}`],
    [`Another chat… announce ${launch} step:pick`],
  ])
  const question = await presses(list, 'Otter News')
  expect(shown(question)[0]).toBe('Announce Moon Otter $OTTER in Otter News?')
  expect(harness.sent).toEqual([])
  const done = await presses(question, '📣 Announce')
  expect(shown(done)).toEqual(['📣 Announced in Otter News: Moon Otter $OTTER'])
  expect(harness.sent.map(({ to }) => to)).toEqual([{ kind: 'chat', id: news }])
  const [post] = harness.sent
  expect(shown(post?.view ?? expect.unreachable())[0]).toBe('🚀 Launched: Moon Otter $OTTER')
  expect(
    controls(post?.view ?? expect.unreachable())
      .flat()
      .join(),
  ).toContain('+follow 0x')
  // As a second press does, or an update that Telegram brings again after a kill.
  expect(shown(await presses(question, '📣 Announce'))).toEqual(shown(done))
  expect(harness.sent).toHaveLength(1)
})

test('after a kill before it was stored, it is sent at most once more, under the key of the first', async () => {
  const line = `announce ${launch} in:${club} step:post`
  await says(line)
  await bot.payloads.change(launch, (each) => ({ ...each, announced: [] }))
  await says(line)
  await says(line)
  // Discord shows one message of two with the same key.
  expect(harness.sent.map(({ key }) => key)).toEqual(
    Array.from({ length: 2 }, () => `launch-announced:${launch}:${club}`),
  )
})

test('rights are looked at in that moment, and who lost them is not offered the chat', async () => {
  await alerts.permissions({ context: ada, targetChat: news }).targetToChange()
  const question = await presses(await says(`announce ${launch}`), 'Otter News')
  managers = { [club]: [ada.user] }
  await expect(presses(question, '📣 Announce')).rejects.toThrow(
    'you’re not an administrator there',
  )
  expect(harness.sent).toEqual([])
  expect((await says(`announce ${launch}`)).picker?.line).toBe(`announce ${launch} in:`)
})

test('where no chat is known yet, Telegram’s own picker names one', async () => {
  const { picker } = await says(`announce ${launch}`)
  const question = await says(`${picker?.line} ${club}`)
  expect(shown(question)[0]).toContain('in Otter Club?')
})

test('a chat into which the person let the bot is offered', async () => {
  await alerts.enter({ ...ada, chat: club, isPrivate: false, ephemeral: false })
  expect(controls(await says(`announce ${launch}`))[0]).toEqual([
    `Otter Club announce ${launch} in:${club}`,
  ])
})

test('on Discord the channel in which it is asked is offered', async () => {
  const inClub = { ...ada, platform: discord, chat: club, isPrivate: false }
  launch = await launchedBy({ ...ada, platform: discord })
  const list = await says(`announce ${launch}`, inClub)
  expect(list.picker).toBeUndefined()
  expect(shown(list).join('\n')).toContain('Send /launches in a channel you manage')
  const done = await presses(await presses(list, 'Otter Club', inClub), '📣 Announce', inClub)
  expect(shown(done)[0]).toContain('Announced in Otter Club')
  expect(harness.sent.map(({ to }) => to.id)).toEqual([club])
})

test('a launch of somebody else is nobody’s to announce', async () => {
  const line = `announce ${launch} in:${club} step:post`
  managers = { [club]: [ada.user, bob.user] }
  expect(await refusal(line, bob)).toContain('You have no such launch')
  expect(harness.sent).toEqual([])
})

test('a chat that refuses the bot is named as such, and can be tried again', async () => {
  const line = `announce ${launch} in:${club} step:post`
  harness.refusals.push(new SendError('not allowed', { final: true, loss: 'forbidden' }))
  expect(await refusal(line)).toContain('I can’t post in that chat')
  harness.refusals.push(new SendError('no answer', { final: false, uncertain: true }))
  expect(await refusal(line)).toContain('Look there before you try again')
  await says(line)
  expect(harness.sent).toHaveLength(1)
})
