import { beforeEach, describe, expect, test } from 'vitest'
import { sandboxTemplates } from '../../../sandbox/templates-setting.ts'
import type { Answers } from '../../../src/launch/draft.ts'
import { templatesSchema } from '../../../src/launch/settings.ts'
import { localChain } from './local-chain.ts'
import { textOf } from './seen.ts'
import { answers, confirm, stranger, Works } from './works.ts'

const chain = await localChain()
let works: Works

beforeEach(async () => {
  const templates = templatesSchema.parse(sandboxTemplates)
  works = await Works.start({ chain, settings: { templates } })
})

async function built(changes: Partial<Answers> = {}): Promise<string> {
  const bot = await works.bot()
  const draft = await works.draft(bot, { answers: { ...answers, ...changes } })
  return textOf(await confirm(bot, draft))
}

describe.each(sandboxTemplates)('$label', ({ id: template }) => {
  test('is verified while it does what it is pinned with, also where people vest and share', async () => {
    expect(await built({ template })).toContain('Ready to sign')
    const vesting: Answers['vesting'] = [
      { address: stranger, amount: '20000000' },
      { address: stranger, percentage: '3' },
    ]
    const beneficiaries: Answers['beneficiaries'] = [
      { beneficiary: stranger, shares: '250000000000000000' },
    ]
    const isAuction = template === 'sandbox-dynamic'
    const text = await built({
      template,
      vesting,
      ...(!isAuction && { beneficiaries }),
    })
    expect(text).toContain('Ready to sign')
    expect(text).toMatch(/(?:350,000,000|35%).* to nobody/u)
    expect(text).not.toContain('⚠️')
  })

  test('that does something else is not verified, and each difference is named', async () => {
    works.upstream.launches.changes = { fee: 30_000, restTo: stranger, startsAfter: 7200 }
    const text = await built({ template })
    expect(text).toMatch(
      /Not verified: the template changed since the operator wrote down what it does: .*“Trading fee”/u,
    )
    expect(text).toMatch(/3% of each trade\. Asked: 1% of each trade \(the template changed\)/u)
    expect(text).toContain('Hand it out unverified')
  })
})

test('what differs from an answer is not blamed on the template', async () => {
  const build = works.upstream.launches.build.bind(works.upstream.launches)
  works.upstream.launches.build = (on, asked) => {
    const metadata = { ...asked.metadata, beneficiaries: [] }
    return build(on, { ...asked, metadata })
  }
  const text = await built({
    beneficiaries: [{ beneficiary: stranger, shares: '250000000000000000' }],
  })
  expect(text).toContain('“Who gets the fees” is not what was asked')
  expect(text).not.toContain('the template changed')
})
