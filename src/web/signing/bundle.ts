import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

/** A file of the signing page, ready to serve. */
export interface PageFile {
  type: string
  content: string
}

/** Key of the HTML page in the bundle; the other keys are its scripts and styles. */
export const shellName = 'index.html'

const inPage = (name: string) => fileURLToPath(new URL(`page/${name}`, import.meta.url))

/**
 * Bundles the signing page in memory; slow, so call it once per process. Names of scripts and styles contain a hash of
 * their content, so browsers may cache them for ever.
 */
export async function bundlePage(): Promise<ReadonlyMap<string, PageFile>> {
  // esbuild's asynchronous API leaves a service process running, which all users in this process would share and could
  // stop for each other.
  const { outputFiles } = buildSync({
    entryPoints: [inPage('main.ts'), inPage('style.css')],
    bundle: true,
    write: false,
    minify: true,
    outdir: 'page',
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
  })
  const files = new Map<string, PageFile>()
  let shell = await readFile(inPage(shellName), 'utf8')
  for (const { path, text } of outputFiles) {
    const name = hashedName(basename(path), text)
    files.set(name, { type: typeOf(name), content: text })
    shell = shell.replaceAll(`assets/${basename(path)}`, `assets/${name}`)
  }
  return files.set(shellName, { type: typeOf(shellName), content: shell })
}

function hashedName(name: string, content: string): string {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16)
  const extension = extname(name)
  return `${basename(name, extension)}-${hash}${extension}`
}

function typeOf(name: string): string {
  const types: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css' }
  return `${types[extname(name)] ?? 'text/html'}; charset=utf-8`
}
