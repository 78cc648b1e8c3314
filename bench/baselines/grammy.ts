import { run } from '@grammyjs/runner'
import { Bot } from 'grammy'
import { sayReady, telegramSettings } from './answer.ts'

// As in grammY's documentation: its own transport, its runner, one command.
const { token, apiRoot, answer } = telegramSettings()
const { text, ...rest } = answer
const bot = new Bot(token, { client: { apiRoot } })
bot.command('asset', (ctx) => ctx.reply(text, rest))

await bot.init()
const runner = run(bot)
sayReady()

process.on('SIGTERM', () => {
  void runner.stop().finally(() => process.exit(0))
})
