import { expect, test } from 'vitest'
import { templateNamed } from '../../../src/doctor/template.ts'

const standard = { id: 'a1', label: 'Standard', chain: 8453 }
const sepolia = { id: 'a1', label: 'Standard (test)', chain: 84532 }
const dutch = { id: 'b2', label: 'Dutch auction', chain: 8453 }
const other = { id: 'c3', label: 'dutch Auction', chain: 84532 }

test('a template is found by its label or its id, whatever the case', () => {
  for (const name of ['standard', 'B2 ', 'Dutch auction']) {
    expect(templateNamed(name, [standard, dutch])).toEqual({
      template: name === 'standard' ? standard : dutch,
    })
  }
})

test('of several with one label the id is asked for', () => {
  expect(templateNamed('Dutch Auction', [dutch, other])).toEqual({
    problem: [
      'Several templates are called “Dutch Auction”. Name it by its id:',
      '  8453 b2   Dutch auction',
      '  84532 c3   dutch Auction',
    ],
  })
})

test('of one id on two chains the chain is asked for, and finds it', () => {
  const found = templateNamed('a1', [standard, sepolia])
  expect(found).toMatchObject({
    problem: [
      expect.stringContaining('its chain before it'),
      '  8453 a1   Standard',
      expect.any(String),
    ],
  })
  expect(templateNamed('84532 a1', [standard, sepolia])).toEqual({ template: sepolia })
})

test('of an unknown name those that there are are listed', () => {
  expect(templateNamed('nope', [standard])).toEqual({
    problem: ['There is no template “nope”. There are:', '  8453 a1   Standard'],
  })
  expect(templateNamed('', [standard])).toMatchObject({
    problem: [expect.stringContaining('Which'), expect.any(String)],
  })
  expect(templateNamed('nope', [])).toEqual({ problem: ['TEMPLATES names no template.'] })
})
