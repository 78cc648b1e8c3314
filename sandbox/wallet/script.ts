import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import type { WalletOptions } from './options.ts'

/** The sandbox wallet as one script, to run in a page before the page's own scripts. */
export async function walletScript(options: WalletOptions): Promise<string> {
  // The asynchronous build is a service that whoever else bundles in this process would stop.
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL('page/main.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    logLevel: 'silent',
    define: { walletOptions: JSON.stringify(options) },
  })
  const [script] = outputFiles
  if (!script) throw new Error('the wallet was not bundled')
  return script.text
}
