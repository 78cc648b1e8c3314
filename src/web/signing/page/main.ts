import { countDown } from './countdown.ts'
import { button, byId, element } from './dom.ts'
import { finalContent } from './ends.ts'
import { Flow } from './flow.ts'
import { showNextStep } from './lead.ts'
import { Link, LinkFault } from './link.ts'
import { SessionStore } from './memory.ts'
import { Panel } from './panel.ts'
import { linkWords } from './speech.ts'
import { isOver } from './stage.ts'
import { stages } from './stages.ts'
import { Summary } from './summary-card.ts'
import { watchWallets } from './wallets.ts'
import type { OpenRequest } from './wire.ts'

const link = new Link(location)
const panel = new Panel()
const summary = new Summary(link.picture)
const memory = new SessionStore(`gavel:${location.pathname}`)

/** Opens the link. Everything that is shown and signed comes from the bot's answer. */
async function begin(): Promise<void> {
  panel.show({ key: 'loading', title: 'Loading…', nodes: [] })
  try {
    const answer = await link.open()
    if (answer.state === 'open') startFlow(answer)
    else panel.show({ key: answer.state, ...finalContent(answer, undefined, memory.state.sent) })
  } catch (fault) {
    if (!(fault instanceof LinkFault)) throw fault
    showFault(fault)
  }
}

function showFault(fault: LinkFault): void {
  const words = element('p', {}, linkWords(fault))
  if (fault.kind === 'unknown') {
    panel.show({ key: 'unknown', title: 'No such link', tone: 'warn', nodes: [words] })
    return
  }
  const again = button({ action: 'open', kind: 'main' }, 'Try again', () => void begin())
  panel.show({ key: 'fault', title: 'No answer', tone: 'warn', nodes: [words, again] })
}

function startFlow(request: OpenRequest): void {
  const changed = () => draw(flow, stopCounting)
  const flow = new Flow({ link, memory, request, changed })
  const stopCounting = countDown(byId('expiry'), () => flow.secondsLeft, changed)
  watchWallets((wallets) => flow.setWallets(wallets))
}

function draw(flow: Flow, stopCounting: () => void): void {
  const { stage, notice } = flow
  if (isOver(stage)) stopCounting()
  summary.show(flow.request, flow.inspection)
  byId('expiry').hidden = flow.transaction.sent !== undefined
  const content = stages[stage](flow, link)
  panel.show({ key: stage, notice, ...content })
  showNextStep(stage, content.title)
}

void begin()
