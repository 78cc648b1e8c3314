import {
  type Address,
  type Chain,
  createTestClient,
  defineChain,
  getAddress,
  type Hex,
  http,
  isAddressEqual,
  publicActions,
  toHex,
  walletActions,
} from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { anvilPath, NoChainError, startAnvil } from './anvil.ts'
import { type Contract, compileContracts } from './compile.ts'
import {
  kinds,
  type ModuleEntry,
  moduleContracts,
  moduleEntries,
  placeOf,
  protocol,
  standardModules,
  wrappedCoin,
} from './modules.ts'
import { type ChainName, deployNames } from './names.ts'

export interface Account {
  address: Address
  privateKey: Hex
}

/** A chain on this machine with the launch contract at the launcher's address. */
export interface LocalChain {
  rpcUrl: string
  chainId: number
  /** Each has 10,000 coins; the node signs for them, too. */
  accounts: readonly Account[]
  /** Every module that stands here, for the bot's settings. */
  modules: readonly ModuleEntry[]
  /** The modules of a plain launch. */
  standard: typeof standardModules
  /** Holds the tokens of every pool on Uniswap V4. */
  poolManager: Address
  /** The hook that all multicurves share. */
  poolHook: Address
  /** An account that is a contract: anybody may have it `execute(address to, uint256 value, bytes data)`. */
  smartAccount: Address
  stop(): Promise<void>
}

interface ChainOptions {
  chainId: number
  /** Where `to` is not the Airlock, a contract that forwards to it is put there. */
  launcher: { to: Address; airlock: Address }
  /** Seconds between blocks; without it each transaction is mined at once. */
  blockTime?: number
  /** Names that can be looked up there; without them the chain has no registry. */
  names?: readonly ChainName[]
}

const mnemonic = 'test test test test test test test test test test test junk'
const accountCount = 5

let compiled: Promise<ReadonlyMap<string, Contract>> | undefined

/**
 * Starts a chain on a free port of 127.0.0.1; it ends with `stop` or with this process.
 * @throws NoChainError where there is no anvil or it does not start.
 */
export async function startChain(options: ChainOptions): Promise<LocalChain> {
  const program = anvilPath()
  if (program === undefined) {
    throw new NoChainError(
      'There is no anvil on this machine, so there is no local chain. It comes with npm on Linux (x64); ' +
        'elsewhere install Foundry, so that anvil is on the path.',
    )
  }
  compiled ??= compileContracts()
  const { chainId } = options
  const accounts = ['--accounts', String(accountCount), '--mnemonic', mnemonic]
  const [contracts, anvil] = await Promise.all([
    compiled,
    startAnvil(program, ['--chain-id', String(chainId), ...accounts]),
  ])
  const rpcUrl = `http://127.0.0.1:${anvil.port}`
  try {
    const parts = await deploy(rpcUrl, options, contracts)
    return { rpcUrl, chainId, accounts: keys(), ...parts, stop: anvil.stop }
  } catch (error) {
    await anvil.stop()
    throw error
  }
}

function keys(): Account[] {
  return Array.from({ length: accountCount }, (_, addressIndex) => {
    const account = mnemonicToAccount(mnemonic, { addressIndex })
    return { address: account.address, privateKey: toHex(account.getHdKey().privateKey ?? '') }
  })
}

async function deploy(
  rpcUrl: string,
  { chainId, launcher, blockTime, names }: ChainOptions,
  contracts: ReadonlyMap<string, Contract>,
) {
  const deployer = new Deployer(rpcUrl, chainId, contracts)
  for (const contract of moduleContracts) await deployer.place(contract)
  const poolManager = await deployer.place('PoolManager')
  const poolHook = await deployer.place('PoolHook')
  await deployer.place('StreamableFeesLockerV2')
  await deployer.place('WrappedCoin', wrappedCoin)
  const smartAccount = await deployer.place('SmartAccount')

  const airlock = await deployer.place('Airlock', launcher.airlock)
  const whitelist = moduleEntries.filter(({ kind }) => kind !== 'hook')
  await deployer.write('Airlock', airlock, 'setModuleState', [
    whitelist.map(({ address }) => address),
    whitelist.map(({ kind }) => kinds.indexOf(kind) + 1),
  ])
  await deployer.write('Airlock', airlock, 'transferOwnership', [protocol])
  if (!isAddressEqual(launcher.to, airlock)) {
    const forwarder = await deployer.place('ForwardingLauncher', launcher.to)
    await deployer.write('ForwardingLauncher', forwarder, 'setAirlock', [airlock])
  }
  if (names) await deployNames(deployer, chainId, names)
  if (blockTime !== undefined) await deployer.mineEvery(blockTime)
  return { modules: moduleEntries, standard: standardModules, poolManager, poolHook, smartAccount }
}

/** Puts contracts on a new chain, with the node's own accounts. */
class Deployer {
  readonly #chain: Chain
  readonly #client
  readonly #contracts: ReadonlyMap<string, Contract>

  constructor(rpcUrl: string, id: number, contracts: ReadonlyMap<string, Contract>) {
    this.#chain = defineChain({
      id,
      name: 'local',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [rpcUrl] } },
    })
    this.#client = createTestClient({
      mode: 'anvil',
      transport: http(),
      chain: this.#chain,
      pollingInterval: 10,
    })
      .extend(publicActions)
      .extend(walletActions)
    this.#contracts = contracts
  }

  /** Puts the contract at an address; its constructor is not run. */
  async place(name: string, at: Address = placeOf(name)): Promise<Address> {
    const address = getAddress(at)
    await this.#client.setCode({ address, bytecode: this.#contract(name).runtime })
    return address
  }

  /** The account that sends everything. */
  async account(): Promise<Address> {
    const [account] = await this.#client.getAddresses()
    if (!account) throw new Error('the chain has no accounts')
    return account
  }

  async write(name: string, address: Address, functionName: string, args: unknown[]) {
    const account = await this.account()
    const { abi } = this.#contract(name)
    const call = { abi, address, functionName, args, account, chain: this.#chain }
    const hash = await this.#client.writeContract(call)
    const { status } = await this.#client.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error(`${functionName} of ${name} was reverted`)
  }

  async mineEvery(interval: number): Promise<void> {
    await this.#client.setAutomine(false)
    await this.#client.setIntervalMining({ interval })
  }

  #contract(name: string): Contract {
    const contract = this.#contracts.get(name)
    if (!contract) throw new Error(`there is no contract ${name}`)
    return contract
  }
}
