/** Shows the sandbox wallet's accounts for copying; nothing where there is no wallet. */
export function showWallet(
  opener: HTMLElement,
  list: HTMLElement,
  accounts: readonly string[] = [],
): void {
  opener.hidden = accounts.length === 0
  if (list.childElementCount === accounts.length) return
  list.replaceChildren(...accounts.map(copying))
}

function copying(account: string): HTMLElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'wallet-account'
  button.textContent = account
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(account).then(
      () => button.setAttribute('data-copied', ''),
      () => getSelection()?.selectAllChildren(button),
    )
  })
  button.addEventListener('blur', () => button.removeAttribute('data-copied'))
  return button
}
