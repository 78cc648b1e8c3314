import type { Address, Hex } from 'viem'
import type { Decoded } from '../../../../src/chain/airlock/modules.ts'

// Six production launches on Robinhood Chain (4663) of July to September 2026, and what they say. Sources: public archives
// and clients of the API: imDev2023/robinhood-chain-resources (archive of 2026-09-02) and hawabuilds/hodl
// (test/fixtures/long-create.json). INTER and CEREBRO are the recorded input; the others were encoded again from recorded
// words or parameters. CEREBRO is not of the API: another integrator sent it to the Airlock itself.

/** What a payload says, without the encoded data of its modules. */
interface RecordedValues {
  params: Record<
    | 'numeraire'
    | 'tokenFactory'
    | 'governanceFactory'
    | 'poolInitializer'
    | 'liquidityMigrator'
    | 'integrator',
    Address
  > & { initialSupply: bigint; numTokensToSell: bigint; salt: Hex }
  token: Decoded['token']
  governance: Decoded['governance']
  pool: object
  hook: Decoded['poolHook']
}

export interface RecordedLaunch extends RecordedValues {
  symbol: string
  transaction: Hex
  calldata: Hex
  /** The creator's account. */
  creator: Address
}

/** Writes calldata of `create` out: its words, without the zeros before them or, if `<` follows, after them. */
function create(...lines: readonly string[]): Hex {
  const words = lines.join(' ').split(' ')
  const whole = words.map((word) =>
    word.endsWith('<') ? word.slice(0, -1).padEnd(64, '0') : word.padStart(64, '0'),
  )
  return `0x882db707${whole.join('')}`
}

export const recordedLaunches: readonly RecordedLaunch[] = [
  {
    symbol: 'INTER',
    transaction: '0x559c10a02bd6f3c171e1a34275b400269d1a9b1fe6e5fe415995ea37a3b0df1b',
    creator: '0x9aDf17b7d91731Ed74C2502695794EC95B8F2a26',
    calldata: create(
      '20 33b2e3c9fd0803ce8000000 33b2e3c9fd0803ce8000000 116f00968269b7bfbad4109ce591d6e74c0601d4',
      '1b37d3a72082029c44b35b604ea473617580b69a 1a0 85f37f74ef2478a770318bc810177a9835911ad7 4c0',
      '4e3468951d49f2eea976ed0d6e75ffcb44a9a544 4e0 ba2f330edb16cd8056f5988d8ce19bbc63475a0e a00',
      '9adf17b7d91731ed74c2502695794ec95b8f2a26 aefedfe63d7c32080c3ec79d56755808 300 160 1a0 1e0 200',
      '220 240 260 0 0 0 2e0 8 496e7465726e6574< 5 494e544552< 0 0 0 0 42',
      '697066733a2f2f6261666b726569646765756832696177786d3279666e77346b',
      '6a6f34327164786c7368786666616e6e687634657372743570793635796b686e 3279< 0 0 500 20 3e8 8 d89d8',
      '100 220 6f02324d20cc679d0e585290caa6b16bacbc0f77 2c0 4c0 2',
      'fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffd7be0',
      'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff3668 1 dc0bd3fdc698000',
      'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff3668 d89e0 1 1ff973cafa8000 2',
      '21e2ce70511e4fe542a97708e89520471daa7a66 b1a2bc2ec50000 9adf17b7d91731ed74c2502695794ec95b8f2a26',
      'd2f13f7789f0000 1e0 116f00968269b7bfbad4109ce591d6e74c0601d4',
      '9adf17b7d91731ed74c2502695794ec95b8f2a26 c3500 2bc0 a 0 0 0 9e9a7129c22db6e 0 3f70fa10b412492',
      '1fb87d085a09249 9e9a7129c22db6e 0 1fb87d085a09249 0 0',
    ),
    params: {
      initialSupply: 1000000000000000000000000000n,
      numTokensToSell: 1000000000000000000000000000n,
      numeraire: '0x116F00968269B7bfbaD4109cE591d6E74c0601d4',
      tokenFactory: '0x1B37D3a72082029c44B35B604Ea473617580b69a',
      governanceFactory: '0x85f37f74Ef2478A770318bc810177a9835911aD7',
      poolInitializer: '0x4e3468951D49f2EEa976eD0D6e75fFCb44a9a544',
      liquidityMigrator: '0xba2F330EDb16cD8056f5988d8CE19BbC63475A0e',
      integrator: '0x9aDf17b7d91731Ed74C2502695794EC95B8F2a26',
      salt: '0x00000000000000000000000000000000aefedfe63d7c32080c3ec79d56755808',
    },
    token: {
      name: 'Internet',
      symbol: 'INTER',
      uri: 'ipfs://bafkreidgeuh2iawxm2yfnw4kjo42qdxlshxffannhv4esrt5py65ykhn2y',
      vesting: [],
    },
    governance: { form: 'none' },
    pool: {
      form: 'curves',
      fee: 1000,
      tickSpacing: 8,
      curves: [
        { tickLower: -164896, tickUpper: -51608, numPositions: 1, shares: 991000000000000000n },
        { tickLower: -51608, tickUpper: 887264, numPositions: 1, shares: 9000000000000000n },
      ],
      beneficiaries: [
        { beneficiary: '0x21E2ce70511e4FE542a97708e89520471DAa7A66', shares: 50000000000000000n },
        { beneficiary: '0x9aDf17b7d91731Ed74C2502695794EC95B8F2a26', shares: 950000000000000000n },
      ],
      hook: {
        farTick: 887256,
        address: '0x6f02324d20CC679d0E585290CAa6b16baCbC0F77',
        graduationData: '0x',
      },
    },
    hook: {
      numeraire: '0x116F00968269B7bfbaD4109cE591d6E74c0601d4',
      buybackTo: '0x9aDf17b7d91731Ed74C2502695794EC95B8F2a26',
      fee: { startFee: 800000, endFee: 11200, duration: 10, startingTime: 0 },
      routing: 0,
      distribution: [
        0n,
        714285714285714286n,
        0n,
        285714285714285714n,
        142857142857142857n,
        714285714285714286n,
        0n,
        142857142857142857n,
      ],
      beneficiaries: [],
    },
  },
  {
    symbol: 'AIANTIVAX',
    transaction: '0xa17e1f79386c429e5ff7db41494d521fc043b50357e65a8973ec39b6aa0e7ed1',
    creator: '0x4be370aD2A9440Fd501228474eC5623dA5B65913',
    calldata: create(
      '20 33b2e3c9fd0803ce8000000 33b2e3c9fd0803ce8000000 43b07d15ce533bec5476d70c22a78a1b2b662155',
      '1b37d3a72082029c44b35b604ea473617580b69a 1a0 85f37f74ef2478a770318bc810177a9835911ad7 4c0',
      '4e3468951d49f2eea976ed0d6e75ffcb44a9a544 4e0 ba2f330edb16cd8056f5988d8ce19bbc63475a0e a00',
      '92d435c96e63c43e12d6d0ab28f6b0b04072f765 8898218cf63c0226b73d17d1610190a2 300 160 1a0 1e0 200',
      '220 240 260 0 0 0 2e0 d 414920697320416e7469766178< 9 4149414e5449564158< 0 0 0 0 42',
      '697066733a2f2f6261666b72656963623337626c7a6c616e366f627734743236',
      '716772726263333579767a356137627a62666c74346d3477346d793277787769 3461< 0 0 500 20 3e8 8 d89d8',
      '100 220 6f02324d20cc679d0e585290caa6b16bacbc0f77 2c0 4c0 2',
      'fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffd9120',
      'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff4080 1 dc0bd3fdc698000',
      'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff4080 d89e0 1 1ff973cafa8000 2',
      '21e2ce70511e4fe542a97708e89520471daa7a66 b1a2bc2ec50000 4be370ad2a9440fd501228474ec5623da5b65913',
      'd2f13f7789f0000 1e0 43b07d15ce533bec5476d70c22a78a1b2b662155',
      '92d435c96e63c43e12d6d0ab28f6b0b04072f765 c3500 2bc0 a 0 0 0 9e9a7129c22db6e 0 3f70fa10b412492',
      '1fb87d085a09249 9e9a7129c22db6e 0 1fb87d085a09249 0 0',
    ),
    params: {
      initialSupply: 1000000000000000000000000000n,
      numTokensToSell: 1000000000000000000000000000n,
      numeraire: '0x43B07D15cE533bEc5476d70C22a78a1B2B662155',
      tokenFactory: '0x1B37D3a72082029c44B35B604Ea473617580b69a',
      governanceFactory: '0x85f37f74Ef2478A770318bc810177a9835911aD7',
      poolInitializer: '0x4e3468951D49f2EEa976eD0D6e75fFCb44a9a544',
      liquidityMigrator: '0xba2F330EDb16cD8056f5988d8CE19BbC63475A0e',
      integrator: '0x92d435C96E63c43E12d6D0AB28f6b0B04072F765',
      salt: '0x000000000000000000000000000000008898218cf63c0226b73d17d1610190a2',
    },
    token: {
      name: 'AI is Antivax',
      symbol: 'AIANTIVAX',
      uri: 'ipfs://bafkreicb37blzlan6obw4t26qgrrbc35yvz5a7bzbflt4m4w4my2wxwi4a',
      vesting: [],
    },
    governance: { form: 'none' },
    pool: {
      form: 'curves',
      fee: 1000,
      tickSpacing: 8,
      curves: [
        { tickLower: -159456, tickUpper: -49024, numPositions: 1, shares: 991000000000000000n },
        { tickLower: -49024, tickUpper: 887264, numPositions: 1, shares: 9000000000000000n },
      ],
      beneficiaries: [
        { beneficiary: '0x21E2ce70511e4FE542a97708e89520471DAa7A66', shares: 50000000000000000n },
        { beneficiary: '0x4be370aD2A9440Fd501228474eC5623dA5B65913', shares: 950000000000000000n },
      ],
      hook: {
        farTick: 887256,
        address: '0x6f02324d20CC679d0E585290CAa6b16baCbC0F77',
        graduationData: '0x',
      },
    },
    hook: {
      numeraire: '0x43B07D15cE533bEc5476d70C22a78a1B2B662155',
      buybackTo: '0x92d435C96E63c43E12d6D0AB28f6b0B04072F765',
      fee: { startFee: 800000, endFee: 11200, duration: 10, startingTime: 0 },
      routing: 0,
      distribution: [
        0n,
        714285714285714286n,
        0n,
        285714285714285714n,
        142857142857142857n,
        714285714285714286n,
        0n,
        142857142857142857n,
      ],
      beneficiaries: [],
    },
  },
  {
    symbol: 'CAPPLE',
    transaction: '0x485431e42c70bfbd1ba0a461151ff3483c43589d34c014e9746026f34806a571',
    creator: '0xcB20F26AAC6F12E2B93B879DFa0573D0e0B96f1B',
    calldata: create(
      '20 33b2e3c9fd0803ce8000000 33b2e3c9fd0803ce8000000 2e8c31162b855a2ffa90f6f8634643ad6f111e18',
      '1b37d3a72082029c44b35b604ea473617580b69a 1a0 85f37f74ef2478a770318bc810177a9835911ad7 4c0',
      '4e3468951d49f2eea976ed0d6e75ffcb44a9a544 4e0 ba2f330edb16cd8056f5988d8ce19bbc63475a0e a00',
      '92d435c96e63c43e12d6d0ab28f6b0b04072f765 8289acb393ec68a7a81518359f95b553 300 160 1a0 1e0 200',
      '220 240 260 0 0 0 2e0 e 4361707962617261204170706c65< 6 434150504c45< 0 0 0 0 42',
      '697066733a2f2f6261666b7265696778646f7a666e657a757977703735786867',
      '697a706e66766f706d6b7361706c683771627077676c6a6a6e79366c77697066 3761< 0 0 500 20 1388 8 d89d8',
      '100 220 6f02324d20cc679d0e585290caa6b16bacbc0f77 2c0 4c0 2',
      'fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe9120 4088 1 dc0bd3fdc698000 4088',
      'd89e0 1 1ff973cafa8000 2 21e2ce70511e4fe542a97708e89520471daa7a66 b1a2bc2ec50000',
      'cb20f26aac6f12e2b93b879dfa0573d0e0b96f1b d2f13f7789f0000 1e0',
      '2e8c31162b855a2ffa90f6f8634643ad6f111e18 35d217b10f974a49f1bfd369fc5c85b597ae09a1 c3500 fa0 a 0',
      '0 0 de0b6b3a7640000 0 0 0 de0b6b3a7640000 0 0 0 0',
    ),
    params: {
      initialSupply: 1000000000000000000000000000n,
      numTokensToSell: 1000000000000000000000000000n,
      numeraire: '0x2E8c31162b855A2ffa90F6F8634643Ad6F111e18',
      tokenFactory: '0x1B37D3a72082029c44B35B604Ea473617580b69a',
      governanceFactory: '0x85f37f74Ef2478A770318bc810177a9835911aD7',
      poolInitializer: '0x4e3468951D49f2EEa976eD0D6e75fFCb44a9a544',
      liquidityMigrator: '0xba2F330EDb16cD8056f5988d8CE19BbC63475A0e',
      integrator: '0x92d435C96E63c43E12d6D0AB28f6b0B04072F765',
      salt: '0x000000000000000000000000000000008289acb393ec68a7a81518359f95b553',
    },
    token: {
      name: 'Capybara Apple',
      symbol: 'CAPPLE',
      uri: 'ipfs://bafkreigxdozfnezuywp75xhgizpnfvopmksaplh7qbpwgljjny6lwipf7a',
      vesting: [],
    },
    governance: { form: 'none' },
    pool: {
      form: 'curves',
      fee: 5000,
      tickSpacing: 8,
      curves: [
        { tickLower: -93920, tickUpper: 16520, numPositions: 1, shares: 991000000000000000n },
        { tickLower: 16520, tickUpper: 887264, numPositions: 1, shares: 9000000000000000n },
      ],
      beneficiaries: [
        { beneficiary: '0x21E2ce70511e4FE542a97708e89520471DAa7A66', shares: 50000000000000000n },
        { beneficiary: '0xcB20F26AAC6F12E2B93B879DFa0573D0e0B96f1B', shares: 950000000000000000n },
      ],
      hook: {
        farTick: 887256,
        address: '0x6f02324d20CC679d0E585290CAa6b16baCbC0F77',
        graduationData: '0x',
      },
    },
    hook: {
      numeraire: '0x2E8c31162b855A2ffa90F6F8634643Ad6F111e18',
      buybackTo: '0x35d217B10F974A49F1BFD369FC5c85B597aE09a1',
      fee: { startFee: 800000, endFee: 4000, duration: 10, startingTime: 0 },
      routing: 0,
      distribution: [0n, 1000000000000000000n, 0n, 0n, 0n, 1000000000000000000n, 0n, 0n],
      beneficiaries: [],
    },
  },
  {
    symbol: 'HIAI',
    transaction: '0x26617c388ede0de4ac1c967497f81fbbe54b7838beb15c458dd7a7a171a182d6',
    creator: '0x79e660623A3fFf90f8233200160EeF40a1133B12',
    calldata: create(
      '20 33b2e3c9fd0803ce8000000 33b2e3c9fd0803ce8000000 5b37fb53a299a1b874a619e1c4c404d52c36f4c',
      '1b37d3a72082029c44b35b604ea473617580b69a 1a0 85f37f74ef2478a770318bc810177a9835911ad7 4c0',
      '4e3468951d49f2eea976ed0d6e75ffcb44a9a544 4e0 ba2f330edb16cd8056f5988d8ce19bbc63475a0e a00',
      '92d435c96e63c43e12d6d0ab28f6b0b04072f765 ea0d33c17262e30b7636fd8e38472b2f 300 160 1a0 1e0 200',
      '220 240 260 0 0 0 2e0 b 48756d616e20496e74656c< 4 48494149< 0 0 0 0 42',
      '697066733a2f2f6261666b7265696733376475776e6733636836347365723270',
      '346f67716969667733356f77636e6b33346865786967617263706669367a626f 7371< 0 0 500 20 3e8 8 d89d8',
      '100 220 6f02324d20cc679d0e585290caa6b16bacbc0f77 2c0 4c0 2',
      'fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffd9708',
      'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff4670 1 dc0bd3fdc698000',
      'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff4670 d89e0 1 1ff973cafa8000 2',
      '21e2ce70511e4fe542a97708e89520471daa7a66 b1a2bc2ec50000 79e660623a3fff90f8233200160eef40a1133b12',
      'd2f13f7789f0000 1e0 5b37fb53a299a1b874a619e1c4c404d52c36f4c',
      '92d435c96e63c43e12d6d0ab28f6b0b04072f765 c3500 2bc0 a 0 0 0 9e9a7129c22db6e 0 3f70fa10b412492',
      '1fb87d085a09249 9e9a7129c22db6e 0 1fb87d085a09249 0 0',
    ),
    params: {
      initialSupply: 1000000000000000000000000000n,
      numTokensToSell: 1000000000000000000000000000n,
      numeraire: '0x05b37Fb53A299a1b874A619e1c4C404D52C36F4C',
      tokenFactory: '0x1B37D3a72082029c44B35B604Ea473617580b69a',
      governanceFactory: '0x85f37f74Ef2478A770318bc810177a9835911aD7',
      poolInitializer: '0x4e3468951D49f2EEa976eD0D6e75fFCb44a9a544',
      liquidityMigrator: '0xba2F330EDb16cD8056f5988d8CE19BbC63475A0e',
      integrator: '0x92d435C96E63c43E12d6D0AB28f6b0B04072F765',
      salt: '0x00000000000000000000000000000000ea0d33c17262e30b7636fd8e38472b2f',
    },
    token: {
      name: 'Human Intel',
      symbol: 'HIAI',
      uri: 'ipfs://bafkreig37duwng3ch64ser2p4ogqiifw35owcnk34hexigarcpfi6zbosq',
      vesting: [],
    },
    governance: { form: 'none' },
    pool: {
      form: 'curves',
      fee: 1000,
      tickSpacing: 8,
      curves: [
        { tickLower: -157944, tickUpper: -47504, numPositions: 1, shares: 991000000000000000n },
        { tickLower: -47504, tickUpper: 887264, numPositions: 1, shares: 9000000000000000n },
      ],
      beneficiaries: [
        { beneficiary: '0x21E2ce70511e4FE542a97708e89520471DAa7A66', shares: 50000000000000000n },
        { beneficiary: '0x79e660623A3fFf90f8233200160EeF40a1133B12', shares: 950000000000000000n },
      ],
      hook: {
        farTick: 887256,
        address: '0x6f02324d20CC679d0E585290CAa6b16baCbC0F77',
        graduationData: '0x',
      },
    },
    hook: {
      numeraire: '0x05b37Fb53A299a1b874A619e1c4C404D52C36F4C',
      buybackTo: '0x92d435C96E63c43E12d6D0AB28f6b0B04072F765',
      fee: { startFee: 800000, endFee: 11200, duration: 10, startingTime: 0 },
      routing: 0,
      distribution: [
        0n,
        714285714285714286n,
        0n,
        285714285714285714n,
        142857142857142857n,
        714285714285714286n,
        0n,
        142857142857142857n,
      ],
      beneficiaries: [],
    },
  },
  {
    symbol: 'SPACEHOOD',
    transaction: '0x44d4d3df6a420ecf63d182f7a45a83f26d9bd541f69c042974ef021214932218',
    creator: '0x1Ae51740cE21CAEbB8C92C457Ad7fc1bdAAe5305',
    calldata: create(
      '20 33b2e3c9fd0803ce8000000 33b2e3c9fd0803ce8000000 4a0e65a3eccec6dbe60ae065f2e7bb85fae35eea',
      '1b37d3a72082029c44b35b604ea473617580b69a 1a0 85f37f74ef2478a770318bc810177a9835911ad7 4c0',
      '4e3468951d49f2eea976ed0d6e75ffcb44a9a544 4e0 ba2f330edb16cd8056f5988d8ce19bbc63475a0e a00',
      '92d435c96e63c43e12d6d0ab28f6b0b04072f765 1154ef 300 160 1a0 1e0 200 220 240 260 0 0 0 2e0 9',
      '5350414345484f4f44< 9 5350414345484f4f44< 0 0 0 0 42',
      '697066733a2f2f6261666b7265696465347a7578723767777970746a61786e61',
      '65346971727064733771697275346c7679626163347a6676683262736c373365 6a34< 0 0 500 20 1b58 8 d89d8',
      '100 220 6f02324d20cc679d0e585290caa6b16bacbc0f77 2c0 4c0 2',
      'fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffd97e0',
      'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff4748 1 dc0bd3fdc698000',
      'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff4748 d89e0 1 1ff973cafa8000 2',
      '1ae51740ce21caebb8c92c457ad7fc1bdaae5305 d2f13f7789f0000',
      'edeaa06e2eb42a5c19ce27c6cffb36fd4fe1eda8 b1a2bc2ec50000 1e0',
      '4a0e65a3eccec6dbe60ae065f2e7bb85fae35eea 92d435c96e63c43e12d6d0ab28f6b0b04072f765 c3500 1f40 a 0',
      '0 0 de0b6b3a7640000 0 0 0 de0b6b3a7640000 0 0 0 0',
    ),
    params: {
      initialSupply: 1000000000000000000000000000n,
      numTokensToSell: 1000000000000000000000000000n,
      numeraire: '0x4a0E65A3EcceC6dBe60AE065F2e7bb85Fae35eEa',
      tokenFactory: '0x1B37D3a72082029c44B35B604Ea473617580b69a',
      governanceFactory: '0x85f37f74Ef2478A770318bc810177a9835911aD7',
      poolInitializer: '0x4e3468951D49f2EEa976eD0D6e75fFCb44a9a544',
      liquidityMigrator: '0xba2F330EDb16cD8056f5988d8CE19BbC63475A0e',
      integrator: '0x92d435C96E63c43E12d6D0AB28f6b0B04072F765',
      salt: '0x00000000000000000000000000000000000000000000000000000000001154ef',
    },
    token: {
      name: 'SPACEHOOD',
      symbol: 'SPACEHOOD',
      uri: 'ipfs://bafkreide4zuxr7gwyptjaxnae4iqrpds7qiru4lvybac4zfvh2bsl73ej4',
      vesting: [],
    },
    governance: { form: 'none' },
    pool: {
      form: 'curves',
      fee: 7000,
      tickSpacing: 8,
      curves: [
        { tickLower: -157728, tickUpper: -47288, numPositions: 1, shares: 991000000000000000n },
        { tickLower: -47288, tickUpper: 887264, numPositions: 1, shares: 9000000000000000n },
      ],
      beneficiaries: [
        { beneficiary: '0x1Ae51740cE21CAEbB8C92C457Ad7fc1bdAAe5305', shares: 950000000000000000n },
        { beneficiary: '0xEDeAa06E2eB42A5c19ce27c6cfFb36fd4fE1eDa8', shares: 50000000000000000n },
      ],
      hook: {
        farTick: 887256,
        address: '0x6f02324d20CC679d0E585290CAa6b16baCbC0F77',
        graduationData: '0x',
      },
    },
    hook: {
      numeraire: '0x4a0E65A3EcceC6dBe60AE065F2e7bb85Fae35eEa',
      buybackTo: '0x92d435C96E63c43E12d6D0AB28f6b0B04072F765',
      fee: { startFee: 800000, endFee: 8000, duration: 10, startingTime: 0 },
      routing: 0,
      distribution: [0n, 1000000000000000000n, 0n, 0n, 0n, 1000000000000000000n, 0n, 0n],
      beneficiaries: [],
    },
  },
  {
    symbol: 'CEREBRO',
    transaction: '0xed3854d23f28b5eff758d1ff998ee9b57385b1635ce3c9b1c51159afeb2013b8',
    creator: '0x96Dc3d810D1a7254dd3f453703d52B282012e11e',
    calldata: create(
      '20 1431e0fae6d7217caa0000000 112a65a21103a943908000000 bd7d308f8e1639fab988df18a8011f41eacad73',
      '1b37d3a72082029c44b35b604ea473617580b69a 1a0 db036746d65dd52126b1915f1adf555e6c5237cf 680',
      '4e3468951d49f2eea976ed0d6e75ffcb44a9a544 6c0 ba2f330edb16cd8056f5988d8ce19bbc63475a0e d40',
      'f60633d02690e2a15a54ab919925f3d038df163e',
      '55f67a52118c2c83f6f8fc97e44e558f14dd691d5bc19f3b6a2b0146e752d1d6 4c0 160 1a0 1e0 240 280 2c0 300',
      '6765c793fa10079d0000000 6ab9632f f60633d02690e2a15a54ab919925f3d038df163e 380 e',
      '4365726562726f204d61726b6574< 7 4345524542524f< 1 278d00 1e13380 1',
      '96dc3d810d1a7254dd3f453703d52b282012e11e 1 0 1 3077b58d5d37839198000000 42',
      '697066733a2f2f6261666b72656964656e3374327136366b3662733366633372',
      '776e356d7637356d706c61326b6d6d7a3564356c6b3334617368617a75356e33 6f6d< 9',
      '6f02324d20cc679d0e585290caa6b16bacbc0f77 9982538f41f2ae29ddb9d3d9307010052984fdbb',
      'b92fe925dc43a0ecde6c8b1a2709c170ec4fff4f 1d4b86491ec211257cbedd77a4380a7494624eff',
      '8f10b468b06c6fd214b65f87778827f7d113f996 8876789976decbfcbbbe364623c63652db8c0904',
      '4e3468951d49f2eea976ed0d6e75ffcb44a9a544 ba2f330edb16cd8056f5988d8ce19bbc63475a0e',
      '8366a39cc670b4001a1121b8f6a443a643e40951 20 0 660 20 1b58 c8 d88d8 100 2a0',
      '9982538f41f2ae29ddb9d3d9307010052984fdbb 340 620 3',
      'fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc5680',
      'fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc7110 1 6a94d74f430000',
      'fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc7110',
      'fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe1ec0 1 d2f13f7789f0000',
      'fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe1ec0 d89a0 1 470de4df820000 2',
      '21e2ce70511e4fe542a97708e89520471daa7a66 b1a2bc2ec50000 96dc3d810d1a7254dd3f453703d52b282012e11e',
      'd2f13f7789f0000 2c0 20 bd7d308f8e1639fab988df18a8011f41eacad73 dead c3500 2904 e 0 1 0',
      '9e9a7129c22db6e 0 3f70fa10b412492 0 0 9e9a7129c22db6e 3f70fa10b412492 200 2',
      '42455f9990098e11592be1fbd72e6dc68419b13 4a03ce68d215555 5f8da8f88ec81e27f2e22fcb9ca5d926c595e508',
      '94079cd1a42aaab 0 0',
    ),
    params: {
      initialSupply: 100000000000000000000000000000n,
      numTokensToSell: 85000000000000000000000000000n,
      numeraire: '0x0Bd7D308f8E1639FAb988df18A8011f41EAcAD73',
      tokenFactory: '0x1B37D3a72082029c44B35B604Ea473617580b69a',
      governanceFactory: '0xdb036746D65DD52126b1915f1AdF555e6C5237Cf',
      poolInitializer: '0x4e3468951D49f2EEa976eD0D6e75fFCb44a9a544',
      liquidityMigrator: '0xba2F330EDb16cD8056f5988d8CE19BbC63475A0e',
      integrator: '0xF60633D02690e2A15A54AB919925F3d038Df163e',
      salt: '0x55f67a52118c2c83f6f8fc97e44e558f14dd691d5bc19f3b6a2b0146e752d1d6',
    },
    token: {
      name: 'Cerebro Market',
      symbol: 'CEREBRO',
      uri: 'ipfs://bafkreiden3t2q66k6bs3fc3rwn5mv75mpla2kmmz5d5lk34ashazu5n3om',
      vesting: [
        {
          recipient: '0x96Dc3d810D1a7254dd3f453703d52B282012e11e',
          amount: 15000000000000000000000000000n,
          cliff: 2592000n,
          duration: 31536000n,
        },
      ],
      balanceLimit: {
        maxBalance: 2000000000000000000000000000n,
        until: 1790534447,
        controller: '0xF60633D02690e2A15A54AB919925F3d038Df163e',
        excluded: [
          '0x6f02324d20CC679d0E585290CAa6b16baCbC0F77',
          '0x9982538F41f2ae29ddb9d3D9307010052984FDbB',
          '0xb92fe925DC43a0ECdE6c8b1a2709c170Ec4fFf4f',
          '0x1d4B86491ec211257cbedD77A4380a7494624EfF',
          '0x8F10B468b06c6FD214B65F87778827F7D113f996',
          '0x8876789976dEcBfCbBbe364623C63652db8C0904',
          '0x4e3468951D49f2EEa976eD0D6e75fFCb44a9a544',
          '0xba2F330EDb16cD8056f5988d8CE19BbC63475A0e',
          '0x8366a39CC670B4001A1121B8F6A443A643e40951',
        ],
      },
    },
    governance: { form: 'multisig', account: '0x0000000000000000000000000000000000000000' },
    pool: {
      form: 'curves',
      fee: 7000,
      tickSpacing: 200,
      curves: [
        { tickLower: -240000, tickUpper: -233200, numPositions: 1, shares: 30000000000000000n },
        { tickLower: -233200, tickUpper: -123200, numPositions: 1, shares: 950000000000000000n },
        { tickLower: -123200, tickUpper: 887200, numPositions: 1, shares: 20000000000000000n },
      ],
      beneficiaries: [
        { beneficiary: '0x21E2ce70511e4FE542a97708e89520471DAa7A66', shares: 50000000000000000n },
        { beneficiary: '0x96Dc3d810D1a7254dd3f453703d52B282012e11e', shares: 950000000000000000n },
      ],
      hook: {
        farTick: 887000,
        address: '0x9982538F41f2ae29ddb9d3D9307010052984FDbB',
        graduationData: '0x',
      },
    },
    hook: {
      numeraire: '0x0Bd7D308f8E1639FAb988df18A8011f41EAcAD73',
      buybackTo: '0x000000000000000000000000000000000000dEaD',
      fee: { startFee: 800000, endFee: 10500, duration: 14, startingTime: 0 },
      routing: 1,
      distribution: [
        0n,
        714285714285714286n,
        0n,
        285714285714285714n,
        0n,
        0n,
        714285714285714286n,
        285714285714285714n,
      ],
      beneficiaries: [
        { beneficiary: '0x042455f9990098e11592be1fBd72E6dC68419b13', shares: 333333333333333333n },
        { beneficiary: '0x5f8DA8F88eC81e27f2E22fCB9CA5D926c595E508', shares: 666666666666666667n },
      ],
    },
  },
]
