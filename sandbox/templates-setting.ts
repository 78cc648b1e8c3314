import { dynamicLasts, dynamicStartsAfter, integrator } from './api/templates.ts'
import { numerairesOf } from './api/token.ts'
import { type ModuleName, moduleAt } from './chain/modules.ts'

const chain = 8453
/** Seconds. */
const year = 365 * 86_400

function contracts(...names: ModuleName[]): string[] {
  return names.map((name) => moduleAt(name).toLowerCase())
}

// What every template of the sandbox does, as `npm run doctor -- template NAME --vesting` writes it.
const always = {
  supply: '1000000000',
  sale: { tokens: '600000000', percent: '60', pool: '60' },
  vesting: [{ to: 'asked', cliff: 0, duration: year }],
  rest: { to: 'nobody', percent: '40' },
  minting: null,
  limit: null,
  quote: numerairesOf(chain)[0]?.address.toLowerCase(),
  tradingFee: { first: '1' },
  hook: null,
  integrator: integrator.toLowerCase(),
  proceeds: { locked: true },
  liquidity: null,
  laterFee: null,
  laterHook: null,
  laterShares: null,
  governance: { form: 'none' },
  owner: { to: 'contract', now: true },
  idle: null,
}

/** TEMPLATES of the sandbox on the local chain. */
export const sandboxTemplates = [
  {
    id: 'sandbox-standard',
    label: 'Standard',
    chain,
    openShare: '95',
    about: 'A price curve that opens as soon as you sign.',
    expects: {
      ...always,
      opening: { cap: ['12.2', '19.1'] },
      curve: { to: '0.0000061479', cap: '6147.9', falls: false },
      shape: 'spacing 200, ticks -180000 to -120000 in 10 positions',
      raise: null,
      trading: { from: 'now' },
      shares: [
        { to: 'you', percent: '95' },
        { to: 'protocol', percent: '5' },
      ],
      contracts: contracts(
        'TokenFactory80',
        'NoOpGovernanceFactory',
        'UniswapV4MulticurveInitializer',
        'NoOpMigrator',
      ),
    },
  },
  {
    id: 'sandbox-dynamic',
    label: 'Dutch auction',
    chain,
    openShare: '0',
    about: 'Starts 15 minutes after it is built: sign before that.',
    expects: {
      ...always,
      opening: { cap: ['90.1', '141'] },
      curve: { to: '0.0000000152437', cap: '15.2437', falls: true },
      shape:
        'ticks -160000 to -180000, a step every 3600 s, gamma 1600, 5 price discovery slugs, spacing 8',
      raise: { min: '2', max: '40' },
      trading: { from: { in: dynamicStartsAfter }, seconds: dynamicLasts },
      // An auction has no beneficiaries: nobody but integrator and protocol gets its fees.
      shares: [],
      proceeds: { locked: false, to: 'v2' },
      liquidity: [
        { to: 'nobody', percent: '95' },
        { to: 'locked', percent: '5' },
      ],
      owner: { to: 'nobody', now: false },
      contracts: contracts(
        'TokenFactory80',
        'NoOpGovernanceFactory',
        'UniswapV4Initializer',
        'UniswapV2Migrator',
      ),
    },
  },
]

/** A template of the console's other chain, of which there is no node here: a launch there ends at its signing page. */
export const robinhoodTemplate = {
  id: 'sandbox-standard',
  label: 'Standard',
  chain: 4663,
  openShare: '95',
  about:
    'A price curve. The sandbox has no node of this chain: prepare a launch here, and send one on Base.',
}
