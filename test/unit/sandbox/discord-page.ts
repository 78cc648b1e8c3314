import { fileURLToPath } from 'node:url'
import { build, stop } from 'esbuild'
import { Hono } from 'hono'
import type { Browser, Page } from 'playwright-core'
import { discordConsole } from '../../../sandbox/discord/console.ts'
import type { DiscordServer } from '../../../sandbox/discord/server.ts'
import { listen } from '../../../sandbox/http.ts'

const html =
  '<!doctype html><html data-theme="dark"><link rel="stylesheet" href="/p.css"><main id="root" data-active></main><script src="/p.js" defer></script>'

/** What of the Discord panel runs in the browser. */
export interface Bundle {
  js: string
  css: string
}

/** Builds the panel as the console does. */
export async function buildPanel(): Promise<Bundle> {
  const discord = fileURLToPath(new URL('../../../sandbox/console/page/discord', import.meta.url))
  const contents = `import { mountDiscord } from '${discord}.ts'; import '${discord}.css'; mountDiscord(document.querySelector('#root'), '/discord')`
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: '.', sourcefile: 'p.ts', loader: 'ts' },
    bundle: true,
    write: false,
    outfile: 'p.js',
    logLevel: 'silent',
  })
  await stop()
  const file = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? ''
  return { js: file('.js'), css: file('.css') }
}

/** The panel in a page of its own. */
export interface Panel {
  page: Page
  /** What went wrong in the page. */
  faults: string[]
  close(): Promise<void>
}

/** Opens the panel on a stand-in. */
export async function openPanel(
  browser: Browser,
  bundle: Bundle,
  server: DiscordServer,
): Promise<Panel> {
  const app = new Hono()
  app.get('/', (c) => c.html(html))
  app.get('/p.js', (c) =>
    c.body(bundle.js, 200, { 'content-type': 'text/javascript; charset=utf-8' }),
  )
  app.get('/p.css', (c) =>
    c.body(`body { margin: 0 } ${bundle.css}`, 200, { 'content-type': 'text/css; charset=utf-8' }),
  )
  app.route('/discord', discordConsole(server))
  const web = await listen(app.fetch)
  const page = await browser.newPage()
  const faults: string[] = []
  page.on('pageerror', (fault) => faults.push(String(fault)))
  await page.goto(`http://127.0.0.1:${web.port}/`)
  return {
    page,
    faults,
    close: async () => {
      await page.close()
      await web.stop()
    },
  }
}
