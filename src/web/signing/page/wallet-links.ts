/** A link that opens a page in a mobile wallet's browser. */
interface WalletLink {
  name: string
  href: string
}

/**
 * Returns links that open this https page in mobile wallets' browsers, as the wallets document them (Rabby: from its
 * source). MetaMask takes host and path unencoded and drops `?` and `#`, so the page's URL must have neither.
 */
export function walletLinks(page: string): WalletLink[] {
  const { host, pathname, origin } = new URL(page)
  const bare = `${host}${pathname}`
  const whole = encodeURIComponent(`${origin}${pathname}`)
  const okx = encodeURIComponent(`okx://wallet/dapp/url?dappUrl=${whole}`)
  return [
    { name: 'MetaMask', href: `https://link.metamask.io/dapp/${bare}` },
    { name: 'Coinbase Wallet', href: `https://go.cb-w.com/dapp?cb_url=${whole}` },
    {
      name: 'Trust Wallet',
      href: `https://link.trustwallet.com/open_url?coin_id=60&url=${whole}`,
    },
    { name: 'OKX Wallet', href: `https://web3.okx.com/download?deeplink=${okx}` },
    { name: 'Rabby', href: `https://go.rabby.io/mobile/?_cmd=open-dapp&dapp=${whole}` },
  ]
}
