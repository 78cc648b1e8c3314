import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Fault } from '../../sandbox/faults.ts'
import type { IpfsFault } from '../../sandbox/ipfs/server.ts'
import { type LaunchHarness, startLaunchHarness } from '../e2e/launch-harness.ts'
import { reviewed } from '../e2e/launch-steps.ts'
import { TelegramUser } from '../e2e/users.ts'

let harness: LaunchHarness
let ada: TelegramUser
beforeAll(async () => {
  harness = await startLaunchHarness()
  ada = new TelegramUser(harness)
  await reviewed(ada, harness, 'FAULTS')
})
afterAll(() => harness?.stopAll())

function calls(path: string): number {
  return harness.apiServer.requests.filter((each) => each.path.startsWith(path)).length
}

/** Presses Confirm or Go on; the fault is met, and told in these words. */
async function failsWith(words: string, met: () => number): Promise<void> {
  const before = met()
  await ada.presses(ada.controls().includes('Confirm') ? 'Confirm' : 'Try again')
  // After a 429 a call waits for a moment.
  await vi.waitFor(() => expect(met()).toBeGreaterThan(before), { timeout: 10_000 })
  await ada.sees('❌', words)
  expect(ada.controls()).toContain('Try again')
}

const pinFaults: [string, IpfsFault, string][] = [
  ['down', { kind: 'reset' }, 'isn’t responding'],
  ['refusing', { kind: 'status', status: 403, body: '' }, 'refuses your logo'],
  ['malformed', { kind: 'html', status: 200 }, 'isn’t responding'],
  [
    'lying',
    { kind: 'lying', cid: 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku' },
    'something other than your logo',
  ],
]
const faults: [string, Fault][] = [
  ['down', { kind: 'reset' }],
  ['answering 500', { kind: 'status' }],
  ['answering 400 with a body', { kind: 'status', status: 400 }],
  ['answering 400 without a body', { kind: 'status', status: 400, body: '' }],
  ['answering 401', { kind: 'status', status: 401 }],
  ['behind a proxy that refuses', { kind: 'html' }],
  ['answering what is no JSON', { kind: 'broken-json' }],
  ['answering something else', { kind: 'wrong-shape' }],
  ['asking for patience', { kind: '429' }],
]

describe('nothing is lost, and a button continues, if', () => {
  test.each(pinFaults)('the publisher is %s', async (_, fault, words) => {
    harness.ipfs.fault = fault
    await failsWith(words, () => harness.ipfs.added)
    harness.ipfs.fault = undefined
  })

  test.each(faults)('the upload of metadata is %s', async (_, fault) => {
    harness.apiServer.faults.set({ match: '/ipfs', ...fault })
    await failsWith('❌ Metadata', () => calls('/ipfs'))
    harness.apiServer.faults.clear()
  })

  test.each(faults)('the template is %s', async (_, fault) => {
    harness.apiServer.faults.set({ match: '/auction-templates', ...fault })
    await failsWith('❌ Transaction', () => calls('/auction-templates'))
    harness.apiServer.faults.clear()
  })

  test('afterwards each step was done once', async () => {
    await ada.presses('Try again')
    await ada.sees('Ready to sign')
    expect(harness.apiServer.launches.uploaded).toHaveLength(1)
    expect(harness.apiServer.launches.built).toHaveLength(1)
  })
})
