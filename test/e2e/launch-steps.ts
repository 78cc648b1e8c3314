import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import type { LaunchTown } from './launch-town.ts'
import type { TelegramVisitor } from './visitor.ts'

async function picture() {
  const raw = { width: 64, height: 64, channels: 3 } as const
  const bytes = await sharp(randomBytes(64 * 64 * 3), { raw })
    .png()
    .toBuffer()
  return { name: 'noise.png', type: 'image/png', bytes }
}

/** Everything is answered, most of it in one paste; the review is shown. */
export async function reviewed(
  ada: TelegramVisitor,
  town: LaunchTown,
  symbol: string,
): Promise<void> {
  await ada.says('/launch')
  await ada.sees('Template')
  await ada.presses('Dutch auction')
  await ada.sees('Name')
  const [first] = town.chain.accounts
  const answers = [`name: Crash ${symbol}`, `symbol: ${symbol}`, 'description: Falls, and gets up.']
  await ada.says([...answers, `wallet: ${first?.address}`, 'fee receiver: wallet'].join('\n'))
  await ada.sees('Picture')
  await ada.sends(await picture())
  await ada.sees('This is how it will look')
  await ada.presses('Use it')
  for (const question of ['Links', 'Categories', 'Vesting', 'Beneficiaries']) {
    await ada.sees(question)
    await ada.presses('Skip')
  }
  await ada.sees('Review', symbol)
}
