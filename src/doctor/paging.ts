import { type Asked, type Judgement, tooFew } from './judgement.ts'
import { counted, identity, isDisjoint, isUnchanged } from './listings.ts'

const farOffset = 1_000_000

/** Asks for one asset further on: past the end some interfaces repeat their last page, and others count pages. */
export async function offsetEffect(asked: Asked): Promise<Judgement> {
  const { reference } = asked
  if (reference.received < 2) return tooFew
  const one = await asked.put(1)
  if ('error' in one) return asked.ofRefusal(one, '1 further on')
  const [, second] = reference.assets.map(identity)
  const [first] = one.value.assets.map(identity)
  if (first !== undefined && first === second) {
    return { effect: true, how: '1 further on: begins with the second' }
  }
  const two = await asked.put(2)
  if ('error' in two) return asked.ofRefusal(two, '2 further on')
  const isSame = isUnchanged(reference, one.value)
  // What lists nothing is rather a filter.
  const isNext = one.value.received > 0 && isDisjoint(reference, one.value)
  const isNextPage = (isSame || isNext) && !isUnchanged(reference, two.value)
  if (isNextPage && isDisjoint(reference, two.value)) {
    return { effect: false, how: 'counts pages, not assets', countsPages: true }
  }
  if (!isSame) return { effect: false, how: '1 further on: other assets' }
  return farOffsetEffect(asked)
}

// If offsets are rounded down to whole pages, a small one changes nothing.
async function farOffsetEffect(asked: Asked): Promise<Judgement> {
  const { reference } = asked
  const far = await asked.put(farOffset)
  if ('error' in far) return asked.ofRefusal(far, 'past the end')
  const isIgnored = isUnchanged(reference, far.value)
  const how = `past the end: ${isIgnored ? 'the same assets' : counted(far.value.received)}`
  return { effect: !isIgnored, how, isIgnored }
}

/** Asks for a single asset. */
export async function limitEffect(asked: Asked): Promise<Judgement> {
  const { reference } = asked
  if (reference.received < 2) return tooFew
  const answer = await asked.put(1)
  if ('error' in answer) return asked.ofRefusal(answer, 'a limit of 1')
  const [, second] = reference.assets.map(identity)
  const [first] = answer.value.assets.map(identity)
  const { received } = answer.value
  return {
    effect: received === 1 && first !== second,
    how: `at most 1: ${counted(received)}`,
    isIgnored: isUnchanged(reference, answer.value),
  }
}
