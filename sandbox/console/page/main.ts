import { mountDiscord } from './discord.ts'
import { mountShell } from './shell.ts'
import { mountTelegram } from './telegram.ts'

const panel = (name: string): HTMLElement => {
  const found = document.querySelector<HTMLElement>(`[data-panel=${name}]`)
  if (!found) throw new Error(`the page lacks the ${name} panel`)
  return found
}

mountShell()
mountTelegram(panel('telegram'), '/telegram')
mountDiscord(panel('discord'), '/discord')
