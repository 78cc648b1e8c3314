import type { Element } from './element.ts'
import { falling, rising } from './palette.ts'

const stroke = 6

/** The course of a price as a line over its shade; undefined where there is no course to see. */
export function chart(
  prices: readonly number[],
  width: number,
  height: number,
): Element | undefined {
  const known = prices.filter((price) => Number.isFinite(price))
  if (known.length < 2) return undefined
  const points = spread(known, width, height)
  const line = points.map(([x, y]) => `${x} ${y}`).join(' L ')
  const [lastX = 0, lastY = 0] = points.at(-1) ?? []
  const colour = (known.at(-1) ?? 0) < (known[0] ?? 0) ? falling : rising
  return svg({ width, height, viewBox: `0 0 ${width} ${height}` }, [
    svg(
      { id: 'shade', x1: 0, y1: 0, x2: 0, y2: 1 },
      [
        svg({ offset: 0, 'stop-color': colour, 'stop-opacity': 0.4 }, [], 'stop'),
        svg({ offset: 1, 'stop-color': colour, 'stop-opacity': 0 }, [], 'stop'),
      ],
      'linearGradient',
    ),
    svg(
      { d: `M ${line} L ${lastX} ${height} L ${stroke} ${height} Z`, fill: 'url(#shade)' },
      [],
      'path',
    ),
    svg(
      {
        d: `M ${line}`,
        fill: 'none',
        stroke: colour,
        'stroke-width': stroke,
        'stroke-linejoin': 'round',
        'stroke-linecap': 'round',
      },
      [],
      'path',
    ),
    svg({ cx: lastX, cy: lastY, r: stroke * 1.6, fill: colour }, [], 'circle'),
  ])
}

/** A price that never moved runs through the middle. */
function spread(prices: readonly number[], width: number, height: number): [number, number][] {
  const low = Math.min(...prices)
  const range = Math.max(...prices) - low
  const edge = stroke * 2
  const step = (width - 2 * edge) / (prices.length - 1)
  return prices.map((price, index) => {
    const share = range > 0 ? (price - low) / range : 0.5
    return [rounded(edge + index * step), rounded(height - edge - share * (height - 2 * edge))]
  })
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10
}

function svg(
  attributes: Record<string, unknown>,
  children: readonly Element[],
  type = 'svg',
): Element {
  return { type, props: { ...attributes, children } }
}
