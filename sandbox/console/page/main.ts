import { Bar, drawMissing, mountTabs } from './bar.ts'
import { mountDiscord } from './discord.ts'
import { mountTelegram } from './telegram.ts'

const part = (selector: string): HTMLElement => {
  const found = document.querySelector<HTMLElement>(selector)
  if (!found) throw new Error(`the page lacks ${selector}`)
  return found
}

new Bar(part('.bar')).start()
mountTabs()
document.addEventListener('error', drawMissing, true)
mountTelegram(part('[data-panel=telegram]'), '/telegram')
mountDiscord(part('[data-panel=discord]'), '/discord')
