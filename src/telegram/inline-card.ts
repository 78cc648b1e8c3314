import type { Button, View } from '../chat/view.ts'

/** All that a button of a card does. On inline messages, whose buttons can't be checked, nothing else is heard. */
export function isCardLine(line: string): boolean {
  return /^(?:asset|auction) 0x[0-9a-f]+(?: chain:\d+)?$/iu.test(line)
}

/**
 * A view as it is shown in a message sent through inline mode, which lives where the bot may not write: no picture can
 * go along, every button acts in place, and what would not be heard is no button.
 */
export function inlineCard(view: View): View {
  const { picture: _, ...rest } = view
  if (!view.buttons) return rest
  return {
    ...rest,
    buttons: view.buttons.map((row) =>
      row.flatMap((button): Button[] => {
        if ('url' in button) return [button]
        return isCardLine(button.run) ? [{ label: button.label, run: button.run }] : []
      }),
    ),
  }
}
