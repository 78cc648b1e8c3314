import { isDeepStrictEqual } from 'node:util'
import { Api } from '../api/client.ts'
import { ChainNode } from '../chain/node.ts'
import { type Config, ConfigError, readConfig, secretsOf } from '../config.ts'
import { checkTemplates, type Template } from '../launch/settings.ts'
import { createLogger, redactor } from '../log.ts'
import { exitCode, printApiReport } from './api-page.ts'
import { examineApi } from './api-report.ts'
import { offeredTemplates } from './connections.ts'
import { examineSettings } from './examination.ts'
import { exitCodeOf, printFindings } from './finding.ts'
import {
  examineTemplate,
  printTemplate,
  type ReadTemplate,
  templateNamed,
  writeTemplates,
} from './launch-template.ts'

const usage =
  'npm run doctor, npm run doctor -- api, or npm run doctor -- template NAME [--vesting]\n'

const nextSteps =
  'If the people who run it set its prices by the day’s rates, remove "curve", "shape" and\n' +
  '"raise" again, or widen "opening": otherwise they would be called changed.\n'

/**
 * Examines the settings in the environment and returns the exit code. 0: all is well. 1: the operator must act. 2: something
 * can't be told, or no setting is known to mend it.
 */
async function run(env: NodeJS.ProcessEnv, words: readonly string[]): Promise<number> {
  try {
    const [command, ...rest] = words
    if (command === undefined) return await trySettings(env)
    if (command === 'api') return await showApi(await readChecked(env))
    if (command === 'template') return await pinTemplate(await readChecked(env), rest)
    process.stderr.write(usage)
    return 1
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const lines = error.problems.map((problem) => `  ${problem}\n`)
    process.stderr.write(
      `These settings are missing or wrong; .env.example explains each one.\n${lines.join('')}`,
    )
    return 1
  }
}

async function trySettings(env: NodeJS.ProcessEnv): Promise<number> {
  process.stdout.write(
    'Gavel’s doctor tries each setting as the bot would use it. It takes a moment.\n\n',
  )
  const { findings, secrets } = await examineSettings(env)
  process.stdout.write(redactor(secrets)(printFindings(findings)))
  return exitCodeOf(findings)
}

async function showApi(config: Config): Promise<number> {
  const report = await examineApi(config, createLogger('silent', secretsOf(config)))
  process.stdout.write(printApiReport(report))
  return exitCode(report)
}

/** Fills in a platform: the API and templates can be tried before there is a bot account. */
function withPlatform(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const hasOne = [env.TELEGRAM_TOKEN, env.DISCORD_TOKEN].some((each) => each?.trim())
  return hasOne ? env : { ...env, DISCORD_TOKEN: 'none-is-needed-here' }
}

async function pinTemplate(config: Config, words: readonly string[]): Promise<number> {
  const { api: options, chains, rpcUrls, proxy } = config
  const name = words.filter((word) => word !== '--vesting').join(' ')
  const log = createLogger('silent', secretsOf(config))
  const api = new Api({ ...options, chains, log })
  try {
    const settings = { ...config.launch, templates: await offeredTemplates(config, api) }
    const named = templateNamed(name, settings.templates)
    if ('problem' in named) {
      process.stderr.write(`${named.problem.join('\n')}\n`)
      return 1
    }
    const { template } = named
    const rpcUrl = rpcUrls[template.chain]
    const report = await examineTemplate(
      {
        settings,
        api,
        units: options.units,
        node:
          rpcUrl === undefined
            ? undefined
            : new ChainNode({ rpcUrl, chainId: template.chain, proxy }),
        now: () => Math.floor(Date.now() / 1000),
      },
      template,
      { vesting: words.includes('--vesting') },
    )
    process.stdout.write(printTemplate(report))
    if (report.kind === 'unread') return 1
    return await proposePins(config, settings.templates, report)
  } finally {
    await api.close()
  }
}

async function proposePins(
  { templatesFile }: Config,
  templates: readonly Template[],
  report: ReadTemplate,
): Promise<number> {
  const { template, openShare, expects } = report
  const isPinned = isDeepStrictEqual(template.expects ?? {}, expects)
  if (isPinned && template.openShare === openShare) {
    process.stdout.write('\nEvery row is pinned, so there is nothing to write.\n')
    return 0
  }
  try {
    const path = await writeTemplates(templates, { template, openShare, expects }, templatesFile)
    process.stdout.write(
      `\nWritten to ${path}: all of TEMPLATES, with what this one does in its "expects".\n` +
        'Read it, keep what is right, and set TEMPLATES to its path.\n' +
        (template.expects ? '' : nextSteps),
    )
    return 0
  } catch (error) {
    if (!(error instanceof Error)) throw error
    process.stderr.write(
      `\nNothing could be written: ${error.message}. Run it in a folder that can be written to.\n`,
    )
    return 1
  }
}

async function readChecked(env: NodeJS.ProcessEnv): Promise<Config> {
  const config = await readConfig(withPlatform(env))
  checkTemplates(config.launch.templates)
  return config
}

process.exitCode = await run(process.env, process.argv.slice(2))
