import { z } from 'zod'
import type { BotLog } from './bot.ts'
import { startSandbox } from './sandbox.ts'

const defaultPort = 4280
/** `npm run sandbox -- --minimal`: the bot has a key, tokens and chains alone. */
const minimalOption = '--minimal'

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

const reasons = z.object({
  err: z.object({ message: z.string() }).optional(),
  reason: z.string().optional(),
  reference: z.string().optional(),
})

function relay(line: BotLog): void {
  if (line.level === 'info' || line.level === 'debug') return
  const why = reasons.safeParse(line).data
  const parts = [line.level, line.msg, why?.err?.message, why?.reason, why?.reference]
  say(`bot: ${parts.filter(Boolean).join(' · ')}`.replace(/\s+/gu, ' '))
}

/** Resolves on Ctrl-C or a signal to end. */
async function askedToStop(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, resolve)
  // npm hands a signal to its shell, and some shells end without handing it on.
  const parent = process.ppid
  const watching = setInterval(() => {
    if (process.env.npm_lifecycle_event && process.ppid !== parent) resolve()
  }, 500)
  await promise
  clearInterval(watching)
}

async function main(): Promise<void> {
  const port = Number(process.env.SANDBOX_PORT ?? defaultPort)
  if (!Number.isInteger(port) || port < 0 || port > 65_000) {
    say('SANDBOX_PORT must be a port number, such as 4280')
    process.exitCode = 1
    return
  }
  const unknown = process.argv.slice(2).find((each) => each !== minimalOption)
  if (unknown !== undefined) {
    say(`There is no option ${unknown}, only ${minimalOption}`)
    process.exitCode = 1
    return
  }
  const isMinimal = process.argv.includes(minimalOption)
  const stopping = askedToStop()
  const sandbox = await startSandbox({ port, isMinimal, onLog: relay, onLack: say })
  sandbox.bot.subscribe(({ state, detail }) => {
    if (state === 'ready') say('The bot is ready. Ctrl-C ends the sandbox.')
    if (state === 'stopped' && detail) say(`The bot stopped (${detail}); starting it again.`)
  })
  process.stdout.write(`console ${sandbox.consoleUrl}\n`)
  await stopping
  await sandbox.stop()
  process.exit(0)
}

try {
  await main()
} catch (error) {
  say(`The sandbox could not start: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
}
