import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Edited, ThrottledEditor } from '../../../src/core/adapter.ts'
import type { LocalisedView } from '../../../src/core/view.ts'

function view(title: string): LocalisedView {
  return { title: [title], blocks: [] }
}

/** An editor whose edits have these results in turn, each once it is let go. */
function editing(...results: Edited[]) {
  const shown: unknown[] = []
  const editsUnderWay: (() => void)[] = []
  const editor = new ThrottledEditor(async ({ title: [title] }) => {
    shown.push(title)
    await new Promise<void>((resolve) => editsUnderWay.push(resolve))
    return results.shift() ?? { pause: 0 }
  })
  const letGo = () => editsUnderWay.shift()?.()
  return { editor, shown, letGo }
}

test('of the views that come during a pause only the last is shown, and after it', async () => {
  const { editor, shown, letGo } = editing({ pause: 100 })
  await editor.show(view('a'))
  letGo()
  const pausesFrom = performance.now()
  await editor.show(view('b'))
  await sleep(10)
  await editor.show(view('c'))
  await expect.poll(() => shown, { interval: 5 }).toEqual(['a', 'c'])
  expect(performance.now() - pausesFrom).toBeGreaterThan(95)
})

test('a view that was refused is shown again', async () => {
  const { editor, shown, letGo } = editing({ pause: 10, retry: true })
  await editor.show(view('a'))
  letGo()
  await expect.poll(() => shown).toEqual(['a', 'a'])
})

test('a newer view takes the place of one that was refused', async () => {
  const { editor, shown, letGo } = editing({ pause: 10, retry: true })
  await editor.show(view('a'))
  await editor.show(view('b'))
  letGo()
  await expect.poll(() => shown).toEqual(['a', 'b'])
})

test('at the end the view that is being shown is waited for, and no other is shown', async () => {
  const { editor, shown, letGo } = editing({ pause: 60_000 })
  await editor.show(view('a'))
  await editor.show(view('b'))
  let hasEnded = false
  const ending = editor.end().then(() => {
    hasEnded = true
  })
  await sleep(10)
  expect(hasEnded).toBe(false)
  letGo()
  await ending
  expect(shown).toEqual(['a'])
})
