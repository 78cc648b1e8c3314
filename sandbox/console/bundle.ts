import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, stop } from 'esbuild'

/** A file of the page, ready to serve. */
export interface PageFile {
  type: string
  content: string
}

const page = (name: string) => fileURLToPath(new URL(`page/${name}`, import.meta.url))

/** Bundles the page's scripts and styles in memory; the key is the file's name. */
export async function bundlePage(): Promise<ReadonlyMap<string, PageFile>> {
  const { outputFiles } = await build({
    entryPoints: [page('main.ts'), page('theme.ts'), page('style.css')],
    bundle: true,
    write: false,
    outdir: 'page',
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    logLevel: 'silent',
  })
  // Bundling runs in a child process that would otherwise stay.
  await stop()
  return new Map(
    outputFiles.map((file) => [
      basename(file.path),
      {
        type: file.path.endsWith('.css') ? 'text/css' : 'text/javascript',
        content: file.text,
      },
    ]),
  )
}
