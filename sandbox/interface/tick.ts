import type { Random } from './random.ts'
import { auctionPrice, proceedsOf, type Token } from './token.ts'

const day = 86_400

/** A step of time, in seconds since 1970, in which auctions run so many times faster than the clock. */
interface Step {
  before: number
  now: number
  speed: number
}

/** Moves one token through a step of time: it starts, sells, ends or drifts. */
export function age(token: Token, { before, now, speed }: Step, random: Random): void {
  if (token.status === 'stall') return
  if (token.status === 'incoming' && now >= token.startsAt) token.status = 'live'
  if (token.status === 'incoming') return
  const passed = (now - before) * speed
  if (token.showcase && token.status === 'live') {
    wander(token, token.showcase.sold, { passed, now }, random)
    return
  }
  const priceThen = token.price
  if (token.status === 'live') sell(token, before, now, random)
  else drift(token, passed, random)
  remember(token, priceThen, passed, random)
}

function sell(token: Token, before: number, now: number, random: Random): void {
  const seconds = Math.max(0, Math.min(now, token.endsAt) - Math.max(before, token.startsAt))
  const share = token.pace * seconds * random.between(0.5, 1.5)
  token.sold = Math.min(1, token.sold + share)
  token.price = auctionPrice(token.startPrice, token.sold)
  token.liquidity = proceedsOf(token, token.sold) * 0.8
  token.volume += (proceedsOf(token, token.sold) - proceedsOf(token, token.sold - share)) * 1.2
  if (token.sold < 1 && now < token.endsAt) return
  const enough = proceedsOf(token, token.sold) >= proceedsOf(token, 1) * token.minShare
  token.status = enough ? 'graduated' : 'stall'
  if (enough) token.graduatedAt = Math.min(now, token.endsAt)
}

// The showcase auction trades both ways around its share and is prolonged, so it is there tomorrow.
function wander(
  token: Token,
  home: number,
  { passed, now }: { passed: number; now: number },
  random: Random,
): void {
  const step = random.normal() * 0.0004 * Math.sqrt(Math.min(passed, day))
  token.sold = Math.min(home + 0.02, Math.max(home, token.sold + step))
  token.price = auctionPrice(token.startPrice, token.sold)
  token.endsAt = Math.max(token.endsAt, now + day / 2)
}

function drift(token: Token, seconds: number, random: Random): void {
  const deviation = 0.3 * Math.sqrt(seconds / day)
  const price = token.price * Math.exp(random.normal() * deviation)
  token.price = Math.min(1e6, Math.max(1e-12, price))
  token.liquidity = Math.min(token.liquidity, token.price * token.supply)
}

// The figures of "24 hours ago" follow today's with a day's delay.
function remember(token: Token, priceThen: number, seconds: number, random: Random): void {
  const passed = Math.min(1, seconds / day)
  token.priceBefore += (priceThen - token.priceBefore) * passed
  token.volumeBefore += (token.volume - token.volumeBefore) * passed
  const usual = token.price * token.supply * 0.05
  token.volume += (usual * random.between(0, 2) - token.volume) * passed
}
