import fc from 'fast-check'
import sharp from 'sharp'
import { beforeEach, expect, test } from 'vitest'
import { plainText } from '../../../src/core/catalogue.ts'
import type { QuestionId } from '../../../src/launch/draft.ts'
import { readPicture } from '../../../src/launch/image.ts'
import { questions } from '../../../src/launch/questions/list.ts'
import { ConversationHarness, fileOf, type Person, settingsOf, standard } from './conversing.ts'
import { ada } from './harness.ts'

const accounts = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
]
const cids = [
  'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku',
  'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi',
]

/** Two answers for each question that is asked where there is one template, and one that is refused. */
const asked: [id: QuestionId, good: [string, string], bad: string, optional?: true][] = [
  ['name', ['Tidal Wren', 'Tidal Owl'], 'Two\nlines'],
  ['symbol', ['WREN', 'TOWL'], 'not one'],
  ['description', ['A bird.', 'An owl.'], 'a\u202eb', true],
  ['picture', [cids[0] ?? '', cids[1] ?? ''], 'no picture', true],
  [
    'links',
    ['Website https://wren.example/', 'Chat https://t.me/wren'],
    'http://wren.example',
    true,
  ],
  ['categories', ['builder-coin', 'builder-coin, product-coin'], 'meme', true],
  ['wallet', [accounts[0] ?? '', accounts[1] ?? ''], '0x12'],
  ['feeReceiver', ['wallet', accounts[1] ?? ''], 'nobody'],
  ['vesting', [`${accounts[1]} 5%`, `${accounts[1]} 5000000 tokens`], `${accounts[1]} 105%`, true],
  ['beneficiaries', [`${accounts[1]} 35%`, `${accounts[0]} 0.5%`], `${accounts[1]} 99%`, true],
]
const ids = asked.map(([id]) => id)
/** The questions that are asked one after the other; the fee receiver is the wallet until somebody changes it. */
const steps: QuestionId[] = ids.filter((id) => id !== 'feeReceiver')

type Op =
  | { does: 'answer' | 'refused' | 'paste' | 'change' | 'late'; pick: number }
  | { does: 'skip' | 'keep' | 'back' | 'accept'; twice: boolean }
  | { does: 'file' | 'restart' | 'resume' | 'look' }

const op: fc.Arbitrary<Op> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ does: fc.constant('answer' as const), pick: fc.nat(1) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constantFrom(
        'refused' as const,
        'paste' as const,
        'change' as const,
        'late' as const,
      ),
      pick: fc.nat(99),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constantFrom('skip' as const, 'keep' as const, 'back' as const, 'accept' as const),
      twice: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constantFrom(
        'file' as const,
        'restart' as const,
        'resume' as const,
        'look' as const,
      ),
    }),
  },
)

/** What a launch is, told without its code: answers by question, where the person went, and a picture that waits. */
class Model {
  readonly answers = new Map<QuestionId, string>([['feeReceiver', 'wallet']])
  asking: QuestionId | undefined
  offered = false

  get current(): QuestionId | undefined {
    return this.asking ?? (this.offered ? 'picture' : ids.find((id) => !this.answers.has(id)))
  }

  /** Everything is answered: a question was gone to from the review. */
  get isAll(): boolean {
    return this.answers.size === ids.length
  }

  answer(id: QuestionId, text: string): void {
    this.answers.set(id, text)
    this.leave(id)
  }

  leave(id: QuestionId): void {
    if (this.asking === id) this.asking = undefined
    if (id === 'picture') this.offered = false
  }
}

let harness: ConversationHarness
let file: Uint8Array
let fileCid: string

beforeEach(async () => {
  harness = await ConversationHarness.start()
  const create = { width: 80, height: 80, channels: 3, background: 'teal' } as const
  file = new Uint8Array(await sharp({ create }).png().toBuffer())
  fileCid = (await readPicture(file)).cid
})

/** One run: a person at one of two replicas, and what the model says of them. */
class Run {
  readonly model = new Model()
  readonly #people: [Person, Person]
  readonly #lines: string[] = []

  constructor(people: [Person, Person]) {
    this.#people = people
  }

  get #person(): Person {
    return this.#people[0]
  }

  async begin(): Promise<void> {
    await this.#person.sends('launch')
  }

  async does(op: Op): Promise<void> {
    this.#lines.push(...this.#shownLines())
    if ('pick' in op) await this.#picks(op.does, op.pick)
    else if ('twice' in op) await this.#presses(op.does, op.twice)
    else await this.#other(op.does)
    await this.check()
  }

  /** All that is answered is answered in the draft, and what is shown is what comes next. */
  async check(): Promise<void> {
    const draft = await this.#person.draft()
    const scope = {
      answers: draft.answers,
      goal: draft.goal,
      settings: settingsOf([standard]),
      canPublish: true,
    }
    const found = questions.flatMap((question) => {
      const text = question.text(scope)
      return ids.includes(question.id) && text !== undefined ? [[question.id, text] as const] : []
    })
    expect(new Map(found)).toEqual(this.model.answers)
    const { current } = this.model
    const title = plainText(this.#person.view.title)
    const asked = questions.find(({ id }) => id === current)
    const label = asked && plainText(asked.label)
    const answered = steps.filter((id) => this.model.answers.has(id)).length
    if (current === undefined) expect(title).toMatch(/^Review: /u)
    else if (this.model.answers.has(current)) expect(title).toBe(label)
    else expect(title).toBe(`Question ${answered + 1} of 9: ${label}`)
    expect(this.#person.labels().includes('Use it')).toBe(
      current === 'picture' && this.model.offered,
    )
  }

  /** From wherever this is, answering what is asked ends at the review. */
  async finish(): Promise<void> {
    for (let left = ids.length; left > 0 && this.model.current; left -= 1) {
      await this.does({ does: 'answer', pick: 0 })
    }
    expect(this.model.current).toBeUndefined()
    expect(this.#person.labels()).toContain('Confirm')
  }

  async #picks(does: 'answer' | 'refused' | 'paste' | 'change' | 'late', pick: number) {
    const { model } = this
    const { current } = model
    const entry = asked.find(([id]) => id === current)
    if (does === 'late') return this.#late(pick)
    if (does === 'paste') {
      model.answer('wallet', accounts[pick % 2] ?? '')
      model.answer('name', `Pasted ${pick}`)
      return this.#person.says(`name: Pasted ${pick}\nwallet: ${accounts[pick % 2]}`)
    }
    if (does === 'change') {
      const id = ids[pick % ids.length]
      if (current !== undefined || id === undefined) return
      model.asking = id
      return this.#person.sends(this.#lineWith(` ${id}`))
    }
    if (entry === undefined) return
    const [id, good, bad] = entry
    if (does === 'answer') model.answer(id, good[pick] ?? '')
    else model.asking = id
    return this.#person.says(does === 'answer' ? (good[pick] ?? '') : bad)
  }

  /** A button of an earlier message: refused, and nothing changes. */
  async #late(pick: number): Promise<void> {
    const now = new Set(this.#shownLines())
    const old = this.#lines.filter((line) => !now.has(line) && !line.includes('resume'))
    const line = old[pick % Math.max(1, old.length)]
    if (line === undefined) return
    const { view } = this.#person
    await this.#person.sends(line)
    expect(this.#person.outcome).toBe('refused')
    this.#person.view = view
  }

  /** A button, by two replicas at once where it is pressed twice: it counts once. */
  async #presses(does: 'skip' | 'keep' | 'back' | 'accept', twice: boolean): Promise<void> {
    const line = this.#shownLines().find((each) => each.startsWith(`launching ${does} `))
    const { current } = this.model
    if (line === undefined || current === undefined) return
    if (does === 'skip') this.model.answer(current, '')
    if (does === 'keep') this.model.leave(current)
    if (does === 'accept') this.model.answer('picture', fileCid)
    if (does === 'back' && this.model.isAll) this.model.leave(current)
    else if (does === 'back') this.model.asking = steps[steps.indexOf(current) - 1]
    const pressing = twice ? this.#people : [this.#person]
    await Promise.all(pressing.map((person) => person.sends(line)))
    const outcomes = pressing.map(({ outcome }) => outcome)
    expect(outcomes.filter((outcome) => outcome === 'answered')).toHaveLength(1)
    if (this.#person.outcome !== 'answered') this.#people.reverse()
  }

  async #other(does: 'file' | 'restart' | 'resume' | 'look'): Promise<void> {
    if (does === 'file') {
      this.model.asking = 'picture'
      this.model.offered = true
      await this.#person.says('', fileOf(file))
    }
    if (does === 'restart') this.#people.reverse()
    if (does === 'look') await this.#person.sends('cancel')
    if (does === 'look') await this.#person.presses('Keep editing')
    else if (does !== 'file') await this.#person.sends('launch')
  }

  #shownLines(): string[] {
    return (this.#person.view.buttons ?? [])
      .flat()
      .flatMap((button) => ('line' in button ? [button.line] : []))
  }

  #lineWith(end: string): string {
    const found = this.#shownLines().find((line) => line.endsWith(end))
    if (found) return found
    throw new Error(`no button ends with${end}`)
  }
}

test('no sequence of answers, presses, late presses and restarts loses an answer or gets stuck', async () => {
  const bots = [await harness.bot(), await harness.bot()] as const
  let person = 100
  await fc.assert(
    fc.asyncProperty(fc.array(op, { minLength: 5, maxLength: 40 }), async (ops) => {
      person += 1
      const context = { ...ada, user: String(person) }
      const run = new Run([harness.at(bots[0], context), harness.at(bots[1], context)])
      await run.begin()
      for (const each of ops) await run.does(each)
      await run.finish()
    }),
    { numRuns: 60 },
  )
})
