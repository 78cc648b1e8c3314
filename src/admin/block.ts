import { pauseForOperator, resumeForOperator } from '../alerts/known-chats.ts'
import { Blocklist } from '../db/blocklist.ts'
import { type Action, AdminError, idText, readId, sinceText, wordsOf } from './action.ts'

const maxListed = 50

/** Blocks people: the bot tells them once, and then answers nothing and keeps nothing of what they write. */
export const block: Action = {
  name: 'block',
  uses: [
    ['block', 'the people who are blocked'],
    [
      'block person telegram:123456',
      'the bot tells them so once, then answers them nothing; their own alerts pause',
    ],
  ],
  plan: async (words, { store, now }) => {
    const blocklist = new Blocklist(store, now)
    const person = personOf(words)
    if (person === undefined) {
      const all = await blocklist.latest(maxListed)
      const lines = all.map(
        ({ at, noticed, ...each }) =>
          `${idText(each)}, ${sinceText(at, now())}${noticed ? ', was told' : ''}`,
      )
      return { lines: lines.length > 0 ? lines : ['Nobody is blocked.'] }
    }
    return {
      lines: [`${idText(person)} will be told once, and then be answered nothing.`],
      change: {
        what: `block person ${idText(person)}`,
        question: `Block ${idText(person)}?`,
        apply: async () => {
          if (!(await blocklist.block(person))) return [`${idText(person)} was blocked already.`]
          await pauseForOperator(store, person.platform, person.id, now() * 1000)
          return [`Blocked ${idText(person)}. Every bot on this database knows within ten seconds.`]
        },
      },
    }
  },
}

export const unblock: Action = {
  name: 'unblock',
  uses: [['unblock person telegram:123456', 'the bot answers them again']],
  plan: async (words, { store, now }) => {
    const person = personOf(words)
    if (person === undefined) throw new AdminError('Whom? unblock person telegram:123456')
    return {
      lines: [],
      change: {
        what: `unblock person ${idText(person)}`,
        apply: async () => {
          if (!(await new Blocklist(store, now).unblock(person)))
            return [`${idText(person)} was not blocked.`]
          await resumeForOperator(store, person.platform, person.id, 'operator')
          return [`Unblocked ${idText(person)}.`]
        },
      },
    }
  },
}

/** The person of `person telegram:123456`; undefined if nothing was typed. */
function personOf(words: string) {
  const [word, target, ...more] = wordsOf(words)
  if (word === undefined) return undefined
  if (word !== 'person' || more.length > 0)
    throw new AdminError('Type person and an id: person telegram:123456')
  return readId(target)
}
