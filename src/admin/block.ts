import { pauseForOperator, resumeForOperator } from '../alerts/known-chats.ts'
import { Blocklist } from '../db/blocklist.ts'
import { type Action, idText, readPerson, sinceText } from './action.ts'

const maxListed = 50

/** Blocks people: the bot tells them once, and then neither answers nor stores anything that they write. */
export const block: Action = {
  name: 'block',
  uses: [
    ['block', 'the people who are blocked'],
    [
      'block person telegram:123456',
      'the bot tells them once, then stops answering them; their own alerts pause',
    ],
  ],
  read: async (words, { store, now }) => {
    const blocklist = new Blocklist(store, now)
    if (words === '') {
      const all = await blocklist.latest(maxListed)
      if (all.length === 0) return ['Nobody is blocked.']
      return all.map(
        ({ at, noticed, ...each }) =>
          `${idText(each)}, ${sinceText(at, now())}${noticed ? ', was told' : ''}`,
      )
    }
    const person = readPerson(words, 'Type person and an id: person telegram:123456')
    const name = idText(person)
    return {
      what: `block person ${name}`,
      preview: {
        lines: [`${name} will be told once, and then get no more answers.`],
        question: `Block ${name}?`,
      },
      run: async () => {
        if (!(await blocklist.block(person))) return [`${name} is already blocked.`]
        await pauseForOperator(store, person.platform, person.id, now() * 1000)
        return [`Blocked ${name}. Every bot on this database knows within ten seconds.`]
      },
    }
  },
}

export const unblock: Action = {
  name: 'unblock',
  uses: [['unblock person telegram:123456', 'the bot answers them again']],
  read: async (words, { store, now }) => {
    const person = readPerson(words, 'Who? unblock person telegram:123456')
    const name = idText(person)
    return {
      what: `unblock person ${name}`,
      run: async () => {
        if (!(await new Blocklist(store, now).unblock(person))) return [`${name} was not blocked.`]
        await resumeForOperator(store, person.platform, person.id, 'operator')
        return [`Unblocked ${name}.`]
      },
    }
  },
}
