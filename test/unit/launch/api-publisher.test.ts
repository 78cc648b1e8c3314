import { base36 } from 'multiformats/bases/base36'
import { CID } from 'multiformats/cid'
import sharp from 'sharp'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ApiServer } from '../../../sandbox/api/server.ts'
import type { AddOptions } from '../../../sandbox/ipfs/cid.ts'
import { Api } from '../../../src/api/client.ts'
import { pictureKind } from '../../../src/core/picture-kind.ts'
import { readPicture } from '../../../src/launch/image.ts'
import { apiPublisher, type IpfsReader } from '../../../src/launch/ipfs.ts'
import { defaultTables, silent } from '../api/server.ts'
import { gatewayTo, kuboNode, reading } from './ipfs-reading.ts'

const key = 'a-key-for-tests'
const inBase36 = (cid: string) => CID.parse(cid).toString(base36.encoder)
const create = { width: 300, height: 300, background: { r: 20, g: 120, b: 90, alpha: 1 } }

/** A picture of one colour, as it is kept. */
async function pictured(format: 'webp' | 'png or jpeg', alpha = 1) {
  const background = { ...create.background, alpha }
  const drawn = sharp({ create: { ...create, channels: 4, background } })
  return readPicture(await drawn.png().toBuffer(), format)
}

async function started(reader?: (url: string) => IpfsReader) {
  const node = await kuboNode()
  const gateway = await gatewayTo(node)
  const server = await ApiServer.start({ key, ipfs: node })
  const parts = { baseUrl: server.baseUrl, key, ...defaultTables, log: silent }
  const api = new Api({ ...parts, chains: [8453], retryPauseMs: 1 })
  onTestFinished(async () => {
    await api.close()
    await server.stop()
  })
  const clock = { ms: 1_000 }
  const publisher = apiPublisher(api, reader?.(gateway.url), () => clock.ms)
  return { node, server, clock, publisher }
}

const throughGateway = (url: string) => reading('gateway', url)

describe('a picture that the API publishes', () => {
  test('is a JPEG, or a PNG if it is transparent, and never a WebP', async () => {
    const { server, publisher } = await started()
    await publisher.publish(await pictured(publisher.format))
    await publisher.publish(await pictured(publisher.format, 0.5))
    // It was kept for another service before.
    await publisher.publish(await pictured('webp'))
    const types = server.launches.pictures.map(({ type }) => type)
    expect(types).toEqual(['image/jpeg', 'image/png', 'image/jpeg'])
    const [first] = server.launches.pictures
    expect(pictureKind(first?.bytes ?? new Uint8Array())).toBe('jpeg')
  })

  test.each<[cid: string, options: AddOptions, start: string]>([
    ['raw', { cidVersion: 1, rawLeaves: true }, 'bafk'],
    ['wrapped', { cidVersion: 1, rawLeaves: false }, 'bafy'],
    ['of version 0', { cidVersion: 0, rawLeaves: false }, 'Qm'],
  ])('is known by its CID without being read: %s', async (_, options, start) => {
    const { server, publisher } = await started()
    server.launches.pictureOptions = options
    const { cid, isChecked } = await publisher.publish(await pictured(publisher.format))
    expect(cid).toMatch(new RegExp(`^${start}`, 'u'))
    expect(cid).toBe(server.launches.pictures[0]?.cid)
    expect(isChecked).toBe(true)
  })

  test.each<[kind: string, spelled: (cid: string) => string, kept?: (cid: string) => string]>([
    ['a CID behind ipfs://', (cid) => `ipfs://${cid}`],
    ['its own spelling of the CID', inBase36, inBase36],
    ['a link to a server', (cid) => `https://evil.example/ipfs/${cid}?redirect=https://x.example`],
    ['a server for this CID', (cid) => `http://${cid}.ipfs.evil.example/#x`],
    ['a path', (cid) => ` /ipfs/${cid}/`],
    ['another scheme’s letters', (cid) => `IPFS://ipfs/${cid}`],
  ])('is named by its CID alone, whatever the API answers: %s', async (_, spelled, kept) => {
    const { server, publisher } = await started()
    const picture = await pictured(publisher.format)
    server.launches.uploadPicture = () => spelled(picture.cid)
    expect(await publisher.publish(picture)).toEqual({
      cid: kept?.(picture.cid) ?? picture.cid,
      isChecked: true,
    })
  })

  test('is read back if its CID says nothing, and unchecked without a gateway', async () => {
    for (const reader of [throughGateway, undefined]) {
      const { server, publisher, node } = await started(reader)
      // Behind a folder of its own, as some services have it: another hash of the same bytes.
      server.launches.uploadPicture = (_, bytes) =>
        node.provide(bytes, { cidVersion: 1, rawLeaves: true })
      const picture = await pictured(publisher.format)
      const other = {
        ...picture,
        cid: 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku',
      }
      const published = await publisher.publish(other)
      expect(published).toEqual({ cid: picture.cid, isChecked: reader !== undefined })
    }
  })

  test('is unchecked if the gateway does not have it', async () => {
    const { server, publisher } = await started(() => ({
      read: () =>
        reading('gateway', 'http://127.0.0.1:9').read(
          'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku',
          50,
        ),
      close: async () => undefined,
    }))
    const cid = 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku'
    server.launches.uploadPicture = () => cid
    expect(await publisher.publish(await pictured(publisher.format))).toEqual({
      cid,
      isChecked: false,
    })
  })

  test('is refused if another stands under its CID', async () => {
    const { server, publisher, node } = await started(throughGateway)
    server.launches.uploadPicture = () => node.provide(Buffer.from('another picture'))
    await expect(publisher.publish(await pictured(publisher.format))).rejects.toMatchObject({
      kind: 'other bytes',
    })
  })

  test('is refused in words by an API that takes none, which is asked again after ten minutes', async () => {
    const { server, clock, publisher } = await started()
    expect(publisher.isAvailable).toBe(true)
    server.faults.set({ match: '/ipfs/upload-image', kind: 'status', status: 404 })
    await expect(publisher.publish(await pictured(publisher.format))).rejects.toThrow(
      'This bot can’t upload files',
    )
    expect(publisher.isAvailable).toBe(false)
    clock.ms += 599_999
    expect(publisher.isAvailable).toBe(false)
    clock.ms += 1
    expect(publisher.isAvailable).toBe(true)
  })

  test('is taken as soon as the API publishes one that waited', async () => {
    const { server, publisher } = await started()
    server.faults.set({ match: '/ipfs/upload-image', kind: 'status', status: 404, times: 1 })
    const picture = await pictured(publisher.format)
    await expect(publisher.publish(picture)).rejects.toThrow()
    await publisher.publish(picture)
    expect(publisher.isAvailable).toBe(true)
  })

  test('has a CID', async () => {
    const { server, publisher } = await started()
    server.launches.uploadPicture = () => 'no CID'
    await expect(publisher.publish(await pictured(publisher.format))).rejects.toMatchObject({
      kind: 'malformed',
    })
  })
})
