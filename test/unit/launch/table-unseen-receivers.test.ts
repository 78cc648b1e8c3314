import { expect, test } from 'vitest'
import { eve, hookUse, otterLaunch, rowOf, say, whole, you } from './effects-told.ts'

const intoPool = [0n, 0n, 0n, whole, 0n, 0n, 0n, whole]
const graduation = (data: Parameters<typeof hookUse>[0]) => ({
  to: 'v4' as const,
  liquidity: [{ to: 'locked' as const, share: whole }],
  hook: hookUse(data),
})

test('an account that may turn the later hook’s fees to itself is named and unusual', () => {
  const data = { buybackTo: eve, routing: 1, distribution: intoPool, beneficiaries: [] }
  const row = rowOf('laterHook', { effects: { graduation: graduation(data) } })
  expect(row.state).toBe('unusual')
  expect(say(row.does)).toContain('may be changed by')
})

test('beneficiaries of a hook are named and unusual even where all goes into the pool', () => {
  const beneficiaries = [{ beneficiary: eve, shares: whole }]
  const hook = hookUse({ buybackTo: you, routing: 0, distribution: intoPool, beneficiaries })
  const row = rowOf('hook', { effects: { hook } })
  expect(row.state).toBe('unusual')
  expect(say(row.does)).toContain('beneficiaries, who get what can’t be used so')
})

test('an integrator that nobody named is unusual where it gets the fees, and only there', () => {
  expect(rowOf('integrator', { effects: { integrator: eve, shares: [] } }).state).toBe('unusual')
  const { shares = [] } = otterLaunch
  expect(rowOf('integrator', { effects: { integrator: eve, shares } }).state).toBe('told')
})
