import { expect } from 'vitest'
import { showcaseAddresses } from '../../../sandbox/api/showcase.ts'
import type { Context } from '../../../src/core/command.ts'
import type { LocalisedView } from '../../../src/core/view.ts'
import { lineOfUse } from '../../../src/discord/commands.ts'
import { telegram } from '../../../src/telegram/platform.ts'
import { controls, shown } from '../views/shown.ts'
import { type CommandHarness, menu } from './bot.ts'

/** A token whose symbol another one has too. */
export const otter = showcaseAddresses.moonOtter

/** In her private chat. */
export const ada: Context = {
  platform: telegram,
  user: '7',
  chat: '7',
  ephemeral: true,
  isPrivate: true,
  locale: 'en',
}

/** Somebody who types and presses, as often as the test likes. */
export class Talk {
  readonly #harness: Pick<CommandHarness, 'bot'>
  readonly #context: Context

  constructor(harness: Pick<CommandHarness, 'bot'>, context = ada) {
    this.#harness = harness
    this.#context = context
  }

  async says(line: string): Promise<LocalisedView> {
    return this.#answer(line, 'answered')
  }

  /** What a refusal says. */
  async isRefused(line: string): Promise<string> {
    return shown(await this.refusal(line))
      .join('\n')
      .trim()
  }

  async refusal(line: string): Promise<LocalisedView> {
    return this.#answer(line, 'refused')
  }

  /** Sends a line that an answer shows, as this platform takes it. */
  async copies(shown: string): Promise<LocalisedView> {
    return this.says(this.#context.platform.namedOptions ? discordLine(shown) : shown.slice(1))
  }

  async presses(view: LocalisedView, ...labels: string[]): Promise<LocalisedView> {
    let at = view
    for (const label of labels) at = await this.says(lineOf(at, label))
    return at
  }

  /** The rules in words, as the list shows them. */
  async followed(): Promise<string[]> {
    return opens(await this.says('alerts')).map(({ label }) => label)
  }

  /** The number of the first rule. */
  async firstId(): Promise<string> {
    const [first] = opens(await this.says('alerts'))
    return first?.line.replace('alerts show ', '') ?? ''
  }

  async #answer(line: string, expected: string): Promise<LocalisedView> {
    const { view, outcome } = await this.#harness.bot.answer(
      this.#harness.bot.parse(line),
      this.#context,
    )
    expect([outcome, shown(view).join('\n')]).toEqual([expected, expect.anything()])
    return view
  }
}

/** The line that Discord's adapter makes of one that was typed there: a value extends to the next option of the command. */
function discordLine(shown: string): string {
  const [name = ''] = shown.slice(1).split(' ', 1)
  const names = menu.find((each) => each.name === name)?.options.map((option) => option.name) ?? []
  const typed = shown.split(new RegExp(` (?=(?:${names.join('|')}):)`, 'u')).slice(1)
  const options = typed.map((each) => ({
    name: each.slice(0, each.indexOf(':')),
    value: each.slice(each.indexOf(':') + 1),
  }))
  return lineOfUse(name, options, menu)
}

/** What a view says can be typed. */
export function typable({ blocks }: LocalisedView): string[] {
  const spans = blocks.flatMap((block) => (block.kind === 'text' ? block.spans : []))
  return spans.flatMap((span) =>
    typeof span === 'object' && 'code' in span && span.code.includes(' ') ? [span.code] : [],
  )
}

/** What the items of a list open. */
export function opens(view: LocalisedView): { label: string; line: string }[] {
  return view.blocks.flatMap((block) =>
    block.kind === 'list' ? block.items.map(({ open }) => open) : [],
  )
}

/** What a press on a button runs, by its label. */
export function lineOf(view: LocalisedView, label: string): string {
  const buttons = (view.buttons ?? []).flat()
  const found = buttons.find((button) => 'line' in button && button.label === label)
  if (found && 'line' in found) return found.line
  throw new Error(`no control "${label}" in ${JSON.stringify(controls(view))}`)
}
