import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ben } from '../../../sandbox/telegram/cast.ts'
import type { ShowProgress } from '../../../src/core/command.ts'
import type { Answer } from '../../../src/core/incoming.ts'
import { refuses, says, viewOf } from '../core/scripted-bot.ts'
import { startFrontedChat } from './telegram-chat.ts'

type Fronted = Awaited<ReturnType<typeof startFrontedChat>>

const patience = { timeout: 20_000 }

let chat: Fronted
beforeEach(async () => {
  chat = await startFrontedChat()
})
afterEach(() => chat.stop())

/** `ask work` shows these views, waits until each that Telegram gets to see is there, and then answers so. */
function works(
  line: string,
  steps: (show: ShowProgress<string>) => Promise<void>,
  answer: Answer,
): void {
  chat.bot.on(line, async (_, __, show) => {
    await steps(show)
    return answer
  })
}

const isThere = (text: string) => chat.sees(ben.id, text)

/** All texts that a message of the bot has had, in order. */
function history(): { id: number; text: string }[] {
  const seen: { id: number; text: string }[] = []
  chat.server.people.on('change', (change) => {
    if (change.kind === 'message' && change.message.sender.isBot) {
      seen.push({ id: change.message.id, text: change.message.text })
    }
  })
  return seen
}

const done = says('done')

async function shownCard(opens: boolean): Promise<number> {
  chat.bot.on('ask card', says('the card', [{ label: 'Work', line: 'ask work', asNew: opens }]))
  chat.server.people.text(ben.id, ben.id, '/ask card')
  return (await isThere('the card')).id
}

const press = (id: number) =>
  chat.server.people.press(ben.id, ben.id, id, { label: 'Work' }, 20_000)

describe('progress before an answer', () => {
  test('is one message, which the answer replaces in the end', async () => {
    const seen = history()
    const steps = async (show: ShowProgress<string>) => {
      for (const step of ['first', 'second']) {
        await show(viewOf(step))
        await isThere(step)
      }
    }
    works('ask work', steps, done)
    chat.server.people.text(ben.id, ben.id, '/ask work')
    await isThere('done')
    expect(seen.map(({ text }) => text)).toEqual(['first', 'second', 'done'])
    expect(new Set(seen.map(({ id }) => id)).size).toBe(1)
  })

  test('replaces a pressed message, and the press is answered at once', async () => {
    const id = await shownCard(false)
    const { promise, resolve } = Promise.withResolvers<void>()
    const steps = async (show: ShowProgress<string>) => {
      await show(viewOf('first'))
      await promise
    }
    works('ask work', steps, done)
    expect(await press(id)).toEqual({ kind: 'answer', text: '', alert: false, url: '' })
    expect(await isThere('first')).toMatchObject({ id })
    resolve()
    expect(await isThere('done')).toMatchObject({ id })
    expect(chat.botTexts(ben.id)).toEqual(['done'])
  })

  test('is a new message where the button opens one, and the pressed one stays', async () => {
    const id = await shownCard(true)
    const steps = async (show: ShowProgress<string>) => {
      await show(viewOf('first'))
      await isThere('first')
    }
    works('ask work', steps, done)
    await press(id)
    await isThere('done')
    expect(chat.botTexts(ben.id)).toEqual(['the card', 'done'])
  })

  test('comes one a second at most: of many only the latest, and the answer after all of them', async () => {
    await chat.stop()
    chat = await startFrontedChat({})
    const seen = history()
    const steps = async (show: ShowProgress<string>) => {
      for (let step = 0; step < 200; step += 1) {
        await show(viewOf(`step ${step}`))
        await sleep(2)
      }
      await isThere('step 199')
      await show(viewOf('never seen'))
    }
    works('ask work', steps, done)
    chat.server.people.text(ben.id, ben.id, '/ask work')
    await isThere('done')
    await chat.settled(ben.id)
    const texts = seen.map(({ text }) => text)
    expect(texts[0]).toBe('step 0')
    expect(texts.slice(-3)).toEqual(['step 199', 'done', 'ask settled'])
    expect(texts.length).toBeLessThan(40)
  })

  test.each([
    ['refused', 'Not like this.', refuses('Not like this.')],
    ['failed', 'explained', { ...refuses('x'), outcome: 'failed' as const }],
  ])('does not stay if the command was %s', async (_, text, answer) => {
    const id = await shownCard(false)
    const steps = async (show: ShowProgress<string>) => {
      await show(viewOf('first'))
      await isThere('first')
    }
    works('ask work', steps, answer)
    await press(id)
    expect(await isThere(text)).toMatchObject({ id })
  })

  test('after the answer is not shown any more', async () => {
    const late: ShowProgress<string>[] = []
    works('ask work', async (show) => void late.push(show), done)
    chat.server.people.text(ben.id, ben.id, '/ask work')
    await isThere('done')
    for (const show of late) await show(viewOf('too late'))
    await chat.settled(ben.id)
    expect(chat.botTexts(ben.id)).toEqual(['done', 'ask settled'])
  })
})

describe('a fault while progress is shown', () => {
  test.each([
    ['a reset', 'reset' as const],
    ['a 400', { status: 400, body: '{"ok":false,"error_code":400,"description":"no"}' }],
    ['a 500', { status: 500, body: '{"ok":false,"error_code":500,"description":"no"}' }],
  ])('(%s) does not reach the command, and the answer is a new message', async (_, mishap) => {
    let left = 1
    chat.front.mishap = (method) => (method === 'sendMessage' && left-- > 0 ? mishap : undefined)
    const steps = async (show: ShowProgress<string>) => {
      await show(viewOf('first'))
      await expect.poll(() => chat.log.of('debug').join(), patience).toContain('not shown')
    }
    works('ask work', steps, done)
    chat.server.people.text(ben.id, ben.id, '/ask work')
    await isThere('done')
    await chat.settled(ben.id)
    expect(chat.botTexts(ben.id)).toEqual(['done', 'ask settled'])
  })

  const tooMany = (retry_after: number) => {
    const description = 'Too Many Requests'
    const refusal = { ok: false, error_code: 429, description, parameters: { retry_after } }
    return { status: 429, body: JSON.stringify(refusal) }
  }

  test.each(['sendMessage', 'editMessageText'])(
    'to which Telegram says to wait with %s delays neither the command nor the answer',
    async (called) => {
      let refused = 0
      chat.front.mishap = (method) =>
        method === called && refused++ === 0 ? tooMany(25) : undefined
      const steps = async (show: ShowProgress<string>) => {
        await show(viewOf('first'))
        if (called === 'editMessageText') await isThere('first')
        await show(viewOf('second'))
        await expect.poll(() => refused, patience).toBe(1)
        await show(viewOf('third'))
      }
      works('ask work', steps, done)
      chat.server.people.text(ben.id, ben.id, '/ask work')
      await isThere('done')
      expect(chat.botTexts(ben.id)).toEqual(['done'])
    },
  )

  test('to which Telegram says to wait a moment: it is shown after that', async () => {
    let refused = 0
    chat.front.mishap = (method) =>
      method === 'sendMessage' && refused++ === 0 ? tooMany(1) : undefined
    const steps = async (show: ShowProgress<string>) => {
      await show(viewOf('first'))
      await isThere('first')
    }
    works('ask work', steps, done)
    chat.server.people.text(ben.id, ben.id, '/ask work')
    await isThere('done')
    expect(chat.botTexts(ben.id)).toEqual(['done'])
  })

  test('because the message was deleted: the answer is a new one', async () => {
    const steps = async (show: ShowProgress<string>) => {
      await show(viewOf('first'))
      const { id } = await isThere('first')
      const place = chat.server.api.world.places.get(ben.id)
      if (place) chat.server.api.world.remove(place, id)
    }
    works('ask work', steps, done)
    chat.server.people.text(ben.id, ben.id, '/ask work')
    await isThere('done')
    expect(chat.botTexts(ben.id)).toEqual(['done'])
  })
})
