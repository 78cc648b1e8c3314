import { html } from 'lit-html'
import { t } from '../../../core/view.ts'
import type { SigningRequest } from '../../../launch/signing-wire.ts'
import { button } from './elements.ts'
import { Flow } from './flow.ts'
import { Page } from './page.ts'
import { endedPanel } from './panel.ts'
import { Link, LinkFault, Session } from './session.ts'
import { linkFaultTexts } from './state.ts'
import { say } from './texts.ts'

const link = new Link(location)
const session = new Session(`gavel:${location.pathname}`)
const page = new Page()

/** Opens the link. Everything that is shown and signed comes from the bot's answer. */
async function begin(): Promise<void> {
  page.show('loading', { title: t('sign-loading'), body: html`` })
  try {
    const answer = await link.open()
    if (answer.state === 'open') start(answer)
    else page.show(answer.state, endedPanel(answer, undefined, session.state.sent))
  } catch (fault) {
    if (!(fault instanceof LinkFault)) throw fault
    const words = html`<p>${say(linkFaultTexts[fault.kind])}</p>`
    const again = button({ action: 'open', kind: 'main' }, say(t('sign-again')), () => void begin())
    if (fault.kind === 'unknown') {
      page.show('unknown', { title: t('sign-no-link'), tone: 'warn', body: words })
    } else {
      page.show('fault', { title: t('sign-no-answer'), tone: 'warn', body: html`${words}${again}` })
    }
  }
}

function start(request: SigningRequest): void {
  const flow = new Flow({ link, session, request, onChange: () => page.showFlow(flow) })
  flow.start()
  setInterval(() => page.showFlow(flow), 1_000)
}

void begin()
