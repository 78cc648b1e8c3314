import { UserError } from '../errors.ts'
import type { Choice, Param } from './command.ts'

/** Free text, one line of at most `most` UTF-16 units. */
export function text<S>(about: string, example: string, most = 200): Param<string, S> {
  return {
    about,
    example,
    required: true,
    parse: (raw) => {
      const value = raw.trim()
      if (value === '') throw new UserError(`Type something to look for, such as ${example}.`)
      if (value.length > most) {
        throw new UserError(`That is too long: ${value.length} characters, at most ${most}.`)
      }
      return value
    },
  }
}

/** A whole number from min to max, both allowed. */
export function whole<S>(about: string, min: number, max: number): Param<number, S> {
  return {
    about,
    example: String(min),
    required: true,
    whole: { min, max },
    parse: (raw) => {
      const value = /^[+-]?\d{1,15}$/u.test(raw) ? Number(raw) : Number.NaN
      if (value >= min && value <= max) return value
      throw new UserError(`"${raw}" does not fit: give a whole number from ${min} to ${max}.`)
    },
  }
}

/** One of a fixed list of values. */
export function oneOf<const V extends string, S>(
  about: string,
  choices: readonly { value: V; label: string }[],
): Param<V, S> {
  const [first] = choices
  return {
    about,
    example: first?.value ?? '',
    required: true,
    choices: () => choices,
    parse: (raw) => {
      const found = choices.find(({ value }) => value === raw.toLowerCase())
      if (found) return found.value
      throw new UserError(`"${raw}" is not one of them: ${listed(choices)}.`)
    },
  }
}

/** The values of choices, for a sentence. */
export function listed(choices: readonly Choice[]): string {
  return choices.map(({ value }) => value).join(', ')
}

/** The same parameter, which may be left out. */
export function optional<T, S>(param: Param<T, S>): Param<T | undefined, S> {
  return { ...param, required: false }
}
