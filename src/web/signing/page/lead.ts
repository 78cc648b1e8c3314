import { byId } from './dom.ts'
import { isOver, type Stage } from './stage.ts'

/** Updates the line above the summary on narrow screens: the next step, and a link down to it. */
export function showNextStep(stage: Stage, title: string): void {
  const way = byId('way')
  byId('way-state').textContent = stage === 'no wallet' ? 'No wallet here' : title
  byId('way-down').textContent = wordsOf(stage)
  way.hidden = false
  byId('way-down').onclick = (event) => {
    event.preventDefault()
    const goal = byId('panel-title')
    goal.focus({ preventScroll: true })
    byId('panel').scrollIntoView({ block: 'start' })
  }
}

function wordsOf(stage: Stage): string {
  if (stage === 'no wallet') return 'See what to do ↓'
  if (isOver(stage) || stage === 'blocked' || stage === 'failing') return 'See more ↓'
  return stage === 'pending' ? 'See the transaction ↓' : 'Go to signing ↓'
}
