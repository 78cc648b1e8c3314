import { CommandBuilder, CommandType } from 'doppler-router/dist/CommandBuilder.js'
import { SwapRouter02Encoder } from 'doppler-router/dist/SwapRouter02Encoder.js'
import { V4ActionBuilder, V4ActionType } from 'doppler-router/dist/V4ActionBuilder.js'
import { type Address, getAddress, type Hex, hexToBytes, toHex } from 'viem'
import type { Bundle } from '../../../../src/chain/airlock/calldata.ts'
import type { SwapPool } from '../../../../src/chain/airlock/router.ts'

// First purchases, encoded by the protocol's own `doppler-router`, as the guide of its SDK does it.

export const weth = getAddress('0x4200000000000000000000000000000000000006')
export const token = getAddress('0x9000000000000000000000000000000000000009')
export const hook = getAddress('0xbdf938149ac6a781f94faa0ed45e6a0e984c6544')
export const alice = getAddress('0x70997970c51812dc3a010c7d01b50e0d17dc79c8')
export const mallory = getAddress('0x000000000000000000000000000000000badc0de')
export const bundler: Address = '0x0000000000000000000000000000000000000001'
export const router: Address = '0x0000000000000000000000000000000000000002'
export const balance = 2n ** 255n

export const v3: SwapPool = { fee: 10_000 }
export const v4: SwapPool = { fee: 0x800000, tickSpacing: 8, hooks: hook.toLowerCase() }
export type Command = [CommandType, unknown[]]
export type Action = [V4ActionType, unknown[]]

/** The commands as the bundler takes them. */
export function plan(...commands: Command[]): Bundle {
  const builder = new CommandBuilder()
  for (const [type, parameters] of commands) builder.addCommand(type, parameters)
  const [codes, inputs] = builder.build()
  return { commands: codes, inputs }
}

export function wrap(amount: bigint, to = router): Command {
  return [CommandType.WRAP_ETH, [to, amount]]
}

export function sweep(currency: Address, to: Address, least = 0n): Command {
  return [CommandType.SWEEP, [currency, to, least]]
}

export function onV4(...actions: Action[]): Command {
  const builder = new V4ActionBuilder()
  for (const [type, parameters] of actions) builder.addAction(type, parameters)
  return [CommandType.V4_SWAP, builder.build()]
}

function keyOf(one: Address, other: Address) {
  const [currency0, currency1] = BigInt(one) < BigInt(other) ? [one, other] : [other, one]
  return { currency0, currency1, fee: 0x800000, tickSpacing: 8, hooks: hook }
}

export function buyIn(quote: Address, bought: Address, amountIn: bigint, amountOutMinimum: bigint) {
  const poolKey = keyOf(quote, bought)
  const zeroForOne = poolKey.currency0 === quote
  const swap = { poolKey, zeroForOne, amountIn, amountOutMinimum, hookData: '0x' }
  return [V4ActionType.SWAP_EXACT_IN_SINGLE, [swap]] satisfies Action
}

export function buyOut(
  quote: Address,
  bought: Address,
  amountOut: bigint,
  amountInMaximum: bigint,
) {
  const poolKey = keyOf(quote, bought)
  const zeroForOne = poolKey.currency0 === quote
  const swap = { poolKey, zeroForOne, amountOut, amountInMaximum, hookData: '0x' }
  return [V4ActionType.SWAP_EXACT_OUT_SINGLE, [swap]] satisfies Action
}

export function path(...tokens: Address[]): Hex {
  return new SwapRouter02Encoder().encodePath(tokens, 10_000)
}

export function v3In(
  paid: bigint,
  least: bigint,
  to: Address,
  way = path(weth, token),
  bySender = false,
) {
  return [CommandType.V3_SWAP_EXACT_IN, [to, paid, least, way, bySender]] satisfies Command
}

export function v3Out(bought: bigint, most: bigint, to: Address, way = path(token, weth)) {
  return [CommandType.V3_SWAP_EXACT_OUT, [to, bought, most, way, false]] satisfies Command
}

/** The bundle with each of its bytes changed, in turn and in some ways. */
export function changesOf({ commands, inputs }: Bundle): Bundle[] {
  return [
    ...changed(commands).map((commands) => ({ commands, inputs })),
    ...inputs.flatMap((input, index) =>
      changed(input).map((input) => ({ commands, inputs: inputs.with(index, input) })),
    ),
  ]
}

function changed(data: Hex): Hex[] {
  const bytes = hexToBytes(data)
  return [...bytes].flatMap((byte, at) =>
    [0x01, 0x10, 0x80, 0xff].map((flip) => toHex(bytes.with(at, byte ^ flip))),
  )
}
