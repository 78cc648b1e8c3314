import { describe, expect, test } from 'vitest'
import { Permissions } from '../../../src/alerts/chat-alerts.ts'
import { SendError } from '../../../src/core/adapter.ts'
import type { Context, Platform } from '../../../src/core/command.ts'
import { discord } from '../../../src/discord/platform.ts'
import { telegram } from '../../../src/telegram/platform.ts'

const ben = (platform: Platform): Context => ({
  platform,
  user: '8',
  chat: '55',
  ephemeral: false,
  isPrivate: false,
  locale: 'en',
})

/** What somebody reads who may not change what a chat follows, or of whom nobody says. */
async function refusal(platform: Platform, fault?: SendError): Promise<string> {
  const manages = async () => {
    if (fault) throw fault
    return false
  }
  const permissions = new Permissions({ context: ben(platform) }, { manages })
  return permissions.targetToChange().then(
    () => 'may',
    (error: unknown) => String(error),
  )
}

describe('the missing right has the platform’s own name', () => {
  test.each([
    [telegram, 'Only administrators can change alerts here'],
    [discord, 'You need Manage Server or Manage Webhooks'],
  ] as const)('for people without it: $0.name', async (platform, words) => {
    expect(await refusal(platform)).toContain(words)
  })

  test.each([
    [telegram, 'Make me an administrator'],
    [discord, 'Give me View Channel in this channel'],
  ] as const)('for a bot that can’t read it: $0.name', async (platform, words) => {
    expect(await refusal(platform, new SendError('no', { final: true }))).toContain(words)
  })
})

test('texts on Discord don’t mention administrators', async () => {
  expect(await refusal(discord)).not.toMatch(/administrator/iu)
  expect(await refusal(discord, new SendError('no', { final: true }))).not.toMatch(
    /administrator/iu,
  )
})
