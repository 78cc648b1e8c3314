import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { type Installation, install, testMisconfigurations } from './doctor-harness.ts'

// What the bot reaches, and where it is reached. Settings of launches are in doctor.test.ts, and databases in
// test/contract/doctor.

let installation: Installation
beforeAll(async () => {
  installation = await install()
})
afterAll(() => installation?.stop())

function telegramUrl(): string {
  const { telegram, healthy } = installation
  return `${telegram.root}/bot${healthy.TELEGRAM_TOKEN}`
}

/** Another process that polls with the same token, as a bot does; returns what stops it. */
function pollBeside(): () => Promise<void> {
  const stopping = new AbortController()
  const url = `${telegramUrl()}/getUpdates?timeout=30`
  const polling = (async () => {
    while (!stopping.signal.aborted) {
      await fetch(url, { signal: stopping.signal }).then(
        (response) => response.arrayBuffer(),
        () => undefined,
      )
      await new Promise((done) => setTimeout(done, 200))
    }
  })()
  return () => {
    stopping.abort()
    return polling
  }
}

testMisconfigurations(
  () => installation,
  [
    {
      what: 'a key that the API refuses',
      setting: 'API_KEY',
      env: () => ({ API_KEY: 'the-key-of-another' }),
      says: /check API_KEY/u,
    },
    {
      what: 'a firewall before the API',
      setting: 'API_BASE_URL',
      env: () => {
        installation.api.faults.set({ kind: 'html' })
        onTestFinished(() => installation.api.faults.clear())
        return {}
      },
      says: /the API’s firewall refuses this server’s address: ask the API’s operator/u,
    },
    {
      what: 'an API address with a wrong path',
      setting: 'API_BASE_URL',
      env: () => ({ API_BASE_URL: installation.api.baseUrl.replace('/v1', '/api/v1') }),
      says: /check API_BASE_URL/u,
    },
    {
      what: 'an API address where nothing answers',
      setting: 'API_BASE_URL',
      env: () => ({ API_BASE_URL: `${installation.dead}/v1` }),
      says: /Nothing usable answers there/u,
    },
    {
      what: 'a Telegram token that was revoked',
      setting: 'TELEGRAM_TOKEN',
      env: () => ({ TELEGRAM_TOKEN: '4242:of-last-year-and-revoked' }),
      says: /Telegram refuses TELEGRAM_TOKEN/u,
      start: /Telegram refuses TELEGRAM_TOKEN/u,
    },
    {
      what: 'a Telegram token that another process polls with',
      setting: 'TELEGRAM_UPDATES',
      env: () => {
        onTestFinished(pollBeside())
        return {}
      },
      says: /Another process polls Telegram/u,
      start: /Another process polls Telegram/u,
    },
    {
      what: 'a Telegram token whose webhook somebody else has',
      setting: 'TELEGRAM_UPDATES',
      env: async () => {
        const call = (method: string) => fetch(`${telegramUrl()}/${method}`)
        await call(`setWebhook?url=${encodeURIComponent('https://elsewhere.example.org/telegram')}`)
        onTestFinished(async () => void (await call('deleteWebhook')))
        return {}
      },
      says: /Telegram calls elsewhere\.example\.org/u,
    },
    {
      what: 'a Discord token that was reset',
      setting: 'DISCORD_TOKEN',
      env: () => ({ DISCORD_TOKEN: 'token.of-last.year' }),
      says: /Discord refuses DISCORD_TOKEN/u,
      start: /Discord refuses DISCORD_TOKEN/u,
    },
    {
      what: 'a port that another program has',
      setting: 'PORT',
      env: () => ({ PORT: new URL(installation.site).port, PUBLIC_URL: '' }),
      says: /is not available\. Set another one/u,
      start: /is not available\. Set another one/u,
    },
    {
      what: 'a public address where nothing answers',
      setting: 'PUBLIC_URL',
      env: () => ({ PUBLIC_URL: installation.dead }),
      says: /can’t be reached \(ECONNREFUSED\)/u,
    },
    {
      what: 'a public address that leads to another site',
      setting: 'PUBLIC_URL',
      env: () => ({ PUBLIC_URL: installation.site }),
      says: /something else answers .*\(status 200\)/u,
    },
    {
      what: 'settings that can’t be read',
      setting: 'PORT',
      env: () => ({ PORT: 'eighty', PUBLIC_URL: '' }),
      says: /must be a port number/u,
    },
  ],
)
