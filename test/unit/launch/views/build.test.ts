import { expect, test } from 'vitest'
import { localise, plainView } from '../../../../src/core/catalogue.ts'
import { t, text } from '../../../../src/core/view.ts'
import { type Step, stepsView } from '../../../../src/launch/views/build.ts'

const parts = { name: 'Moon Otter', symbol: 'OTTER', command: '/launch' }
const label = t('launch-logo')
const hint = 'If nothing here changes for a minute, send /launch'

function shownOf(states: readonly Step['state'][], failures = [] as ReturnType<typeof text>[]) {
  const steps = states.map((state) => ({ label, state }))
  return plainView(localise(stepsView({ ...parts, steps, failures }), 'en'))
}

test('a build says whether it is under way, done or stopped, and how to go on if it stands still', () => {
  const underWay = shownOf(['done', 'running', 'to come'])
  expect(underWay).toContain('Building Moon Otter')
  expect(underWay).toContain(hint)
  const built = shownOf(['done', 'done'])
  expect(built).toContain('Built: Moon Otter')
  expect(built).not.toContain(hint)
  for (const stopped of [shownOf(['done', 'failed']), shownOf(['to come'], [text('No')])]) {
    expect(stopped).toContain('Not built yet: Moon Otter')
    expect(stopped).not.toContain(hint)
  }
})
