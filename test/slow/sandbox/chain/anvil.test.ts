import { execFile, spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createPublicClient, createWalletClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anvilPath, NoChainError, startAnvil } from '../../../../sandbox/chain/anvil.ts'
import { startChain } from '../../../../sandbox/chain/chain.ts'
import { somebody } from '../../../unit/chain/airlock/sample.ts'

const airlock = somebody('airlock')
const launcher = { to: airlock, airlock }
const run = promisify(execFile)
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gavel-chain-'))
})

afterAll(() => rm(folder, { recursive: true }))

async function answers(rpcUrl: string): Promise<boolean> {
  const client = createPublicClient({ transport: http(rpcUrl, { retryCount: 0 }) })
  return client.getChainId().then(
    () => true,
    () => false,
  )
}

/** Waits until nothing answers any more. */
async function gone(rpcUrl: string): Promise<void> {
  while (await answers(rpcUrl)) await delay(20)
}

/** Runs a program as a process of its own. */
async function program(name: string, code: string): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, code)
  return file
}

test('a stopped chain is gone', async () => {
  const chain = await startChain({ chainId: 1, launcher })
  expect(await answers(chain.rpcUrl)).toBe(true)
  await chain.stop()
  expect(await answers(chain.rpcUrl)).toBe(false)
})

test('two chains run beside each other', async () => {
  const chains = await Promise.all([1, 2].map((chainId) => startChain({ chainId, launcher })))
  const [one, other] = chains
  expect(one?.rpcUrl).not.toBe(other?.rpcUrl)
  expect(one?.modules).toEqual(other?.modules)
  await Promise.all(chains.map((chain) => chain.stop()))
})

test('with a block time a transaction waits for its block', async () => {
  const chain = await startChain({ chainId: 1, launcher, blockTime: 1 })
  const [first] = chain.accounts
  const account = privateKeyToAccount(first?.privateKey ?? '0x')
  const transport = http(chain.rpcUrl)
  const wallet = createWalletClient({ account, transport })
  const client = createPublicClient({ transport, pollingInterval: 50 })
  const hash = await wallet.sendTransaction({ to: airlock, value: 0n, chain: null, gas: 100_000n })
  expect(await client.getTransaction({ hash })).toMatchObject({ blockNumber: null })
  expect((await client.waitForTransactionReceipt({ hash })).blockNumber).toBeGreaterThan(0n)
  await chain.stop()
})

test('the chain ends with the process that started it, even if that is killed', async () => {
  const file = await program(
    'parent.ts',
    `import { startAnvil } from ${JSON.stringify(resolve('sandbox/chain/anvil.ts'))}
     const anvil = await startAnvil(${JSON.stringify(anvilPath())}, [])
     process.stdout.write(String(anvil.port), () => process.kill(process.pid, 'SIGKILL'))`,
  )
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] })
  const port = await text(child.stdout)
  expect(port).toMatch(/^\d+$/u)
  await gone(`http://127.0.0.1:${port}`)
})

test('without anvil the error says what to do', async () => {
  // A copy outside of the project, where the package that brings anvil is not found.
  await cp('sandbox/chain', join(folder, 'chain'), { recursive: true })
  await mkdir(join(folder, 'node_modules'))
  for (const name of ['viem', 'zod', 'solc']) {
    await symlink(resolve('node_modules', name), join(folder, 'node_modules', name))
  }
  const file = await program(
    'without.ts',
    `import { anvilPath } from './chain/anvil.ts'
     import { startChain } from './chain/chain.ts'
     const launcher = ${JSON.stringify(launcher)}
     const error = await startChain({ chainId: 1, launcher }).catch((error) => error)
     console.log(JSON.stringify([String(anvilPath()), error.name, error.message]))`,
  )
  const { stdout } = await run(process.execPath, [file], { env: { PATH: folder } })
  const [path, name, message] = JSON.parse(stdout)
  expect([path, name]).toEqual(['undefined', 'NoChainError'])
  expect(message).toContain('There is no anvil on this machine')
  expect(message).toContain('install Foundry')
})

test('an anvil on the path is used if the package is missing', async () => {
  const bin = await mkdtemp(join(folder, 'bin-'))
  await symlink(process.execPath, join(bin, 'anvil'))
  await cp('sandbox/chain/anvil.ts', join(folder, 'alone.ts'))
  const file = await program(
    'path.ts',
    `import { anvilPath } from './alone.ts'
     console.log(anvilPath())`,
  )
  const { stdout } = await run(process.execPath, [file], { env: { PATH: `/nowhere:${bin}` } })
  expect(stdout.trim()).toBe(join(bin, 'anvil'))
})

test('an anvil that does not start gives an error with its own output', async () => {
  const missing = startAnvil(join(folder, 'no-anvil'), [])
  await expect(missing).rejects.toThrow(NoChainError)
  const confused = startAnvil(anvilPath() ?? '', ['--no-such-option'])
  await expect(confused).rejects.toThrow(/did not start: .*--no-such-option/u)
})
