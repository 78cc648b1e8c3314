/** A coin that everybody knows. */
export interface Coin {
  symbol: string
  names: readonly string[]
  /** The symbol is a word of every day too: a name that is just this word may mean anything. */
  isWord?: true
}

/** What strangers' tokens are most often made to look like. */
export const coins: readonly Coin[] = [
  { symbol: 'BTC', names: ['Bitcoin'] },
  { symbol: 'WBTC', names: ['Wrapped Bitcoin', 'Wrapped BTC'] },
  { symbol: 'cbBTC', names: ['Coinbase Wrapped BTC'] },
  { symbol: 'ETH', names: ['Ethereum', 'Ether'] },
  { symbol: 'WETH', names: ['Wrapped Ether', 'Wrapped Ethereum', 'Wrapped ETH'] },
  { symbol: 'stETH', names: ['Lido Staked Ether', 'Liquid staked Ether 2.0'] },
  { symbol: 'wstETH', names: ['Wrapped liquid staked Ether 2.0'] },
  { symbol: 'cbETH', names: ['Coinbase Wrapped Staked ETH'] },
  { symbol: 'USDC', names: ['USD Coin'] },
  { symbol: 'USDT', names: ['Tether', 'Tether USD', 'USD Tether'] },
  { symbol: 'DAI', names: ['Dai Stablecoin'], isWord: true },
  { symbol: 'USDe', names: ['Ethena USDe'] },
  { symbol: 'USDS', names: ['USDS Stablecoin'] },
  { symbol: 'PYUSD', names: ['PayPal USD'] },
  { symbol: 'FDUSD', names: ['First Digital USD'] },
  { symbol: 'EURC', names: ['Euro Coin'] },
  { symbol: 'SOL', names: ['Solana'], isWord: true },
  { symbol: 'BNB', names: ['Binance Coin'] },
  { symbol: 'XRP', names: ['Ripple'] },
  { symbol: 'DOGE', names: ['Dogecoin'] },
  { symbol: 'SHIB', names: ['Shiba Inu'] },
  { symbol: 'PEPE', names: ['Pepe'] },
  { symbol: 'FLOKI', names: ['Floki'] },
  { symbol: 'BONK', names: ['Bonk'] },
  { symbol: 'WIF', names: ['dogwifhat'] },
  { symbol: 'ADA', names: ['Cardano'], isWord: true },
  { symbol: 'TRX', names: ['Tron'] },
  { symbol: 'AVAX', names: ['Avalanche'] },
  { symbol: 'LTC', names: ['Litecoin'] },
  { symbol: 'BCH', names: ['Bitcoin Cash'] },
  { symbol: 'XMR', names: ['Monero'] },
  { symbol: 'XLM', names: ['Stellar Lumens'] },
  { symbol: 'HBAR', names: ['Hedera'] },
  { symbol: 'LINK', names: ['Chainlink'], isWord: true },
  { symbol: 'UNI', names: ['Uniswap'], isWord: true },
  { symbol: 'AAVE', names: ['Aave'] },
  { symbol: 'ARB', names: ['Arbitrum'] },
  { symbol: 'MATIC', names: ['Polygon'] },
]
