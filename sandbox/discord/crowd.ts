import type { World } from './world.ts'

/** Messages that a channel of a crowd keeps: enough to see a repeated one, little enough for thousands of channels. */
const keptInCrowd = 5

/** Makes many channels of the server at once, for load tests; returns their ids. The bot is told of none of them. */
export function crowdOfChannels(world: World, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const room = world.addChannel(`crowd-${index + 1}`)
    room.kept = keptInCrowd
    return room.channel.id
  })
}
