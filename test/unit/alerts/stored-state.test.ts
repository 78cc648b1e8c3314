import { expect, test } from 'vitest'
import { parseState, stateJson } from '../../../src/alerts/asset.ts'

const asset = { asset_address: '0x4200000000000000000000000000000000000aaa' }

test('a state is read from its JSON under plain names, and written byte for byte as it was', () => {
  const ending = { endsAt: 20, minutes: 3, told: true, anew: { count: 1, at: 9 } }
  const body = { asset, told: ['incoming', 'live'], progress: '0.5', ending, misses: 2 }
  const state = parseState('live', JSON.stringify(body))
  expect(state).toEqual({
    phase: 'live',
    asset,
    pastPhases: ['incoming', 'live'],
    progress: '0.5',
    ending: { endsAt: 20, minutes: 3, wasNotified: true, restarts: { count: 1, at: 9 } },
    absences: 2,
  })
  expect(state && stateJson(state)).toBe(JSON.stringify(body))
})

test('fields that are unknown are absent, and no state can be read without the others', () => {
  const body = JSON.stringify({ asset, told: [], misses: 0 })
  const state = parseState('gone', body)
  expect(state && stateJson({ ...state })).toBe(body)
  expect(parseState('gone', JSON.stringify({ asset, pastPhases: [], absences: 0 }))).toBeUndefined()
  expect(parseState('unheard-of', body)).toBeUndefined()
  for (const broken of ['', '[]', 'null', '{"asset":']) {
    expect(parseState('gone', broken)).toBeUndefined()
  }
})
