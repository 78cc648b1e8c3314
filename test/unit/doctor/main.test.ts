import { execFile } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { type InterfaceOptions, InterfaceServer } from '../../../sandbox/interface/server.ts'

const key = 'the-doctor-never-tells-this'

interface Outcome {
  code: number
  stdout: string
  stderr: string
}

function run(env: Record<string, string>): Promise<Outcome> {
  const { PATH = '' } = process.env
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['src/doctor/main.ts'],
      { env: { PATH, ...env } },
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}

async function against(options: Partial<InterfaceOptions>): Promise<Outcome> {
  const server = await InterfaceServer.start({ key, ...options })
  try {
    return await run({
      API_BASE_URL: server.baseUrl,
      API_KEY: key,
      TELEGRAM_TOKEN: '123456:not-a-real-token',
      CHAINS: '8453,84532',
    })
  } finally {
    await server.stop()
  }
}

describe('npm run doctor', () => {
  test('ends with 0 where all is well', async () => {
    const { code, stdout, stderr } = await against({})
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/All is well: every figure of the sample\s+satisfies every identity\./u)
    expect(stdout).not.toContain(key)
  })

  test('ends with 1 where something needs the operator, and prints the line to paste', async () => {
    const { code, stdout } = await against({ queryNames: { term: 'q' } })
    expect(code).toBe(1)
    expect(stdout).toContain('\nAPI_QUERY_NAMES={"term":"q"}\n')
  })

  test('ends with 1 and a list where settings are missing', async () => {
    const { code, stdout, stderr } = await run({ API_KEY: key })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('API_BASE_URL: is needed')
    expect(stderr).not.toContain(key)
    expect(stderr).not.toMatch(/^\s+at /mu)
  })
})
