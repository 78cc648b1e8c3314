import { serve } from '../remote.ts'
import { type Opened, type Request, request, type Served } from './protocol.ts'
import { openVenue, type Venue } from './venue.ts'

// The stand-ins' process, started by client.ts. It takes the times itself, so that messages between processes don't add
// to them.

type Commands = Extract<Request, { do: 'commands' }>

/** Max answers to check; the stand-ins store some more. */
const maxChecked = 1_000

const venues = new Map<number, Venue>()
let lastVenue = 0

async function open(request: Extract<Request, { do: 'open' }>): Promise<Opened> {
  const venue = await openVenue(request)
  venues.set(++lastVenue, venue)
  return { venue: lastVenue, env: venue.env, addresses: [...venue.addresses] }
}

async function sendCommands(venue: Venue, request: Commands): Promise<Served> {
  const latencies: number[] = []
  let left = request.batches
  const row = async () => {
    while (left > 0) {
      left -= 1
      latencies.push(...(await venue.send(request.address, request.batch)))
    }
  }
  venue.upstreamReads()
  const cpuBefore = process.cpuUsage()
  const start = performance.now()
  await Promise.all(Array.from({ length: request.inFlight }, row))
  const millis = performance.now() - start
  const { user, system } = process.cpuUsage(cpuBefore)
  assertCards(venue, request)
  return {
    millis,
    latencies,
    standInCpu: (user + system) / 1000,
    upstreamReads: venue.upstreamReads(),
  }
}

/** Checks that the bot answered with the card: an error would be fast, but measures nothing. */
function assertCards(venue: Venue, { address, batch, batches }: Commands): void {
  const answers = venue.answers(Math.min(batch * batches, maxChecked))
  // The interface may write the address in another letter case.
  const named = address.toLowerCase()
  const other = answers
    .map((answer) => JSON.stringify(answer))
    .find((answer) => !answer.toLowerCase().includes(named))
  if (other !== undefined) throw new Error(`answered with something else than the card: ${other}`)
}

async function handle(message: Request): Promise<unknown> {
  if (message.do === 'open') return open(message)
  const venue = venues.get(message.venue)
  if (!venue) throw new Error(`there is no venue ${message.venue}`)
  if (message.do === 'commands') return sendCommands(venue, message)
  if (message.do === 'call') return venue.callInTurn(message.targets)
  if (message.do === 'answer') return venue.answers(1).at(-1)
  venues.delete(message.venue)
  return venue.stop()
}

serve(async (asked) => handle(request.parse(asked)))
