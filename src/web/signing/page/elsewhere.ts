import { walletLinks } from '../wallet-links.ts'
import { button, element } from './dom.ts'
import type { Link } from './link.ts'

/** Lists ways to sign without a wallet in this browser; those that fit this device first. */
export function otherWaysNodes(link: Link): Node[] {
  const [phone, otherDevice] = [onPhone(link), onOtherDevice(link)]
  const isPhone = matchMedia('(pointer: coarse)').matches
  return [
    ...(isPhone ? [...phone, ...otherDevice] : [...otherDevice, ...phone]),
    element('h3', {}, 'Without this page'),
    element(
      'p',
      {},
      'Go back to the chat and press Raw payload: it gives you a file with the transaction, and one for Safe.',
    ),
  ]
}

function onPhone(link: Link): Node[] {
  const links = walletLinks(link.page).map(({ name, href }) =>
    element('li', {}, element('a', { href, class: 'choice' }, `Open in ${name}`)),
  )
  return [
    element('h3', {}, 'With a wallet on your phone'),
    element('p', {}, 'On the phone, these open this page in the wallet’s own browser.'),
    element('ul', { class: 'choices' }, ...links),
  ]
}

function onOtherDevice(link: Link): Node[] {
  return [
    element('h3', {}, 'On another device'),
    element(
      'p',
      {},
      'Scan this code there, or copy the link into the browser that has your wallet.',
    ),
    element('img', {
      src: link.qr,
      alt: 'QR code of the link of this page',
      class: 'qr',
      width: '200',
      height: '200',
    }),
    copyButton(link.page),
  ]
}

/** Creates a button that copies the link; if the browser refuses, it shows the link instead. */
function copyButton(link: string): HTMLElement {
  const status = element('p', { role: 'status', class: 'copied' })
  const field = element('input', {
    type: 'text',
    readonly: '',
    value: link,
    class: 'link',
    'aria-label': 'The link of this page',
    hidden: '',
  })
  const copy = button({ action: 'copy', kind: 'quiet' }, 'Copy link', () => {
    void copyText(link).then((done) => {
      status.textContent = done
        ? 'Copied. Whoever has this link sees what is in it; send it to nobody.'
        : 'The browser did not let this page copy. Copy the link from here:'
      field.hidden = done
      if (!done) field.select()
    })
  })
  return element('div', { class: 'copying' }, copy, status, field)
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
