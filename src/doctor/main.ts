import { ConfigError, readConfig, secretsOf } from '../config.ts'
import { createLogger } from '../log.ts'
import { doctor } from './doctor.ts'
import { printReport } from './print.ts'

/** Examines the interface with the settings of this environment and returns the exit code: 0 where all is well. */
async function run(env: NodeJS.ProcessEnv): Promise<number> {
  try {
    const config = readConfig(env)
    const log = createLogger('silent', secretsOf(config))
    const { api, chains, rpcUrls, ipfs, launch } = config
    const launches = { settings: launch, rpcUrls, publishes: ipfs !== undefined }
    const report = await doctor({ ...api, chains, launches }, log)
    process.stdout.write(printReport(report))
    return report.needsOperator ? 1 : 0
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const lines = error.problems.map((problem) => `  ${problem}\n`)
    process.stderr.write(
      `These settings are missing or wrong; .env.example explains each one.\n${lines.join('')}`,
    )
    return 1
  }
}

process.exitCode = await run(process.env)
