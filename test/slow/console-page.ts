import { Hono } from 'hono'
import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { World } from '../../sandbox/api/world.ts'
import { ConsoleServer } from '../../sandbox/console/server.ts'
import { Faults } from '../../sandbox/faults.ts'

/** Serves the console's page with one panel's stand-in alone, and no bot's process. */
export function startConsole(panel: { telegram?: Hono; discord?: Hono }): Promise<ConsoleServer> {
  return ConsoleServer.start({
    panels: { telegram: new Hono(), discord: new Hono(), ...panel },
    faults: new Faults(),
    world: new World({ chains: [], seed: 1, now: 0 }),
    bot: { status: { state: 'ready' }, subscribe: () => () => undefined },
  })
}

/** Pixels below what is seen: the list is laid out from its end. */
function below(list: Locator): Promise<number> {
  return list.evaluate(({ scrollTop }) => Math.round(-scrollTop))
}

/**
 * A picture that arrives late, and the list's own scroll that is heard of only after that: it takes its place before
 * anything else can be heard.
 */
async function growsLate(list: Locator): Promise<void> {
  await list.evaluate(async (scroller) => {
    const view = scroller.ownerDocument.defaultView
    const picture = scroller.ownerDocument.createElement('img')
    picture.style.cssText = 'display: block; flex: none; height: 400px'
    const loaded = new Promise((resolve) => picture.addEventListener('load', resolve))
    const messages = scroller.querySelectorAll('.message')
    messages[messages.length - 1]?.after(picture)
    scroller.dispatchEvent(new Event('scroll'))
    picture.src = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='
    await loaded
    // By the second frame from here all was heard of.
    await new Promise((resolve) =>
      view?.requestAnimationFrame(() => view.requestAnimationFrame(resolve)),
    )
  })
}

/** A long list keeps its newest message in sight as it grows, and leaves alone who reads further up. */
export async function staysAtEnd(list: Locator): Promise<void> {
  await expect.poll(() => below(list)).toBeLessThan(2)
  await growsLate(list)
  await expect.poll(() => below(list)).toBeLessThan(2)
  await list.evaluate((scroller) => scroller.scrollBy({ top: -300, behavior: 'instant' }))
  await expect.poll(() => below(list)).toBeGreaterThan(200)
  await growsLate(list)
  expect(await below(list)).toBeGreaterThan(500)
}
