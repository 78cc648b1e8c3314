import type { Form, FormField } from '../../../src/core/conversation.ts'
import type { Answer } from '../../../src/core/incoming.ts'
import { viewOf } from '../core/scripted-bot.ts'

export const field: FormField<string> = {
  id: 'name',
  label: 'Name',
  about: 'A',
  kind: 'line',
  required: true,
}

export const form: Form<string> = { id: 'k3f9a2bc.12', title: 'Your token', fields: [field] }

/** The line that names the form. */
export const formLine = 'launching form k3f9a2bc.12'

/** A question with a button that opens the form. */
export function asks(words: string): Answer {
  return {
    view: { ...viewOf(words), form: { label: 'Answer', line: formLine } },
    outcome: 'answered',
  }
}
