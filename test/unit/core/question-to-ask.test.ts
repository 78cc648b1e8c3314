import { expect, test } from 'vitest'
import { type Question, questionToAsk } from '../../../src/core/conversation.ts'

type Answers = Readonly<Record<string, string>>

const questions: readonly Question<Answers>[] = ['kind', 'asset', 'value'].map((id) => ({
  id,
  applies: ({ kind }) => id !== 'asset' || kind === 'price',
  text: (answers) => answers[id],
}))

test.each<[answers: Answers, wanted: string | undefined, asked: string | undefined]>([
  [{}, undefined, 'kind'],
  [{ kind: 'price' }, undefined, 'asset'],
  [{ kind: 'live' }, undefined, 'value'],
  // A skipped question has an answer.
  [{ kind: 'live', value: '' }, undefined, undefined],
  [{ kind: 'price', asset: 'OTTER', value: '5' }, 'asset', 'asset'],
  [{ kind: 'live' }, 'asset', 'value'],
  [{ kind: 'live' }, 'other', 'value'],
])('after %j with %s wanted, %s is asked', (answers, wanted, asked) => {
  expect(questionToAsk(questions, answers, wanted)?.id).toBe(asked)
})
