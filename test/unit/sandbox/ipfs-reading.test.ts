import { CID } from 'multiformats/cid'
import { sha256 } from 'multiformats/hashes/sha2'
import { afterEach, describe, expect, it } from 'vitest'
import { rawBlockCid } from '../../../sandbox/ipfs/cid.ts'
import { GatewayServer } from '../../../sandbox/ipfs/gateway.ts'
import { KuboServer } from '../../../sandbox/ipfs/kubo.ts'

const running: { stop(): Promise<void> }[] = []

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()))
})

async function kubo(): Promise<KuboServer> {
  const server = await KuboServer.start()
  running.push(server)
  return server
}

/** The CID under which a greeting was added. */
async function added(server: KuboServer, query: string): Promise<string> {
  const body = new FormData()
  body.append('file', new Blob(['hello world\n']), 'hello.txt')
  const response = await fetch(`${server.url}/api/v0/add?${query}`, { method: 'POST', body })
  return JSON.parse(await response.text()).Hash
}

async function cat(server: KuboServer, query: string) {
  const response = await fetch(`${server.url}/api/v0/cat?${query}`, { method: 'POST' })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

describe('the stand-in of Kubo', () => {
  it('reads a file that it has or finds, a part of it where that is asked', async () => {
    const server = await kubo()
    const found = server.provide(Buffer.from('on another node'))
    const [own, old] = [await added(server, 'cid-version=1'), await added(server, 'cid-version=0')]
    for (const path of [own, `/ipfs/${own}`, old]) {
      const answer = await cat(server, `arg=${path}`)
      expect(answer).toMatchObject({ status: 200, text: 'hello world\n' })
      expect(answer.headers.get('content-type')).toBe('text/plain')
      expect(answer.headers.get('x-content-length')).toBe('12')
    }
    expect((await cat(server, `arg=${found}`)).text).toBe('on another node')
    expect((await cat(server, `arg=${own}&offset=6&length=3`)).text).toBe('wor')
    expect((await cat(server, `arg=${own}&offset=20`)).text).toBe('')
    expect(server.pinned).toHaveLength(2)
    expect(server.reads).toBe(6)
  })

  it('looks for a file that it lacks until it finds it, or the time is over', async () => {
    const server = await kubo()
    const bytes = Buffer.from('a while later')
    const reading = cat(server, `arg=${rawBlockCid(bytes)}`)
    await expect.poll(() => server.reads).toBe(1)
    server.provide(bytes)
    expect((await reading).text).toBe('a while later')
    const late = await cat(server, `arg=${rawBlockCid(Buffer.from('never'))}&timeout=0.02s`)
    expect(late.status).toBe(500)
    expect(JSON.parse(late.text)).toEqual({
      Message: 'context deadline exceeded',
      Code: 0,
      Type: 'error',
    })
  })

  it('refuses to read what is no path, and options that are none', async () => {
    const server = await kubo()
    const cid = server.provide(Buffer.from('x'))
    expect(await cat(server, '')).toMatchObject({
      status: 400,
      text: 'argument "ipfs-path" is required\n',
    })
    expect((await cat(server, `arg=${cid}&length=many`)).status).toBe(400)
    for (const query of [`arg=${cid}&length=-1`, `arg=${cid}&offset=-1`, 'arg=x', `arg=${cid}/x`]) {
      const answer = await cat(server, query)
      expect(answer.status).toBe(500)
      expect(JSON.parse(answer.text)).toMatchObject({ Type: 'error' })
    }
    // As the real one: a timeout that it can't read is answered with nothing at all.
    expect(await cat(server, `arg=${cid}&timeout=10`)).toMatchObject({ status: 200, text: '' })
    expect((await fetch(`${server.url}/api/v0/cat?arg=${cid}`)).status).toBe(405)
  })
})

describe('the stand-in of a gateway', () => {
  async function gateway(options: { subdomains?: boolean } = {}) {
    const node = await kubo()
    const server = await GatewayServer.start({ of: node, ...options })
    running.push(server)
    const get = (path: string, init: RequestInit = {}) =>
      fetch(`${server.url}${path}`, { redirect: 'manual', ...init })
    return { node, server, get }
  }

  it('gives a block as it is, whatever the version of the CID', async () => {
    const { node, get } = await gateway()
    const cid = node.provide(Buffer.from('hello world\n'))
    const answer = await get(`/ipfs/${cid}?format=raw`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/vnd.ipld.raw')
    expect(answer.headers.get('etag')).toBe(`"${cid}.raw"`)
    expect(await answer.text()).toBe('hello world\n')
    const old = node.provide(Buffer.from('hello world\n'), { cidVersion: 0, rawLeaves: false })
    for (const text of [old, CID.parse(old).toV1().toString()]) {
      const block = await (await get(`/ipfs/${text}?format=raw`)).arrayBuffer()
      const { bytes } = await sha256.digest(new Uint8Array(block))
      expect(bytes).toEqual(CID.parse(old).multihash.bytes)
    }
  })

  it('refuses all but blocks that it has, asked for as such', async () => {
    const { node, get } = await gateway()
    const cid = node.provide(Buffer.from('x'))
    const missing = rawBlockCid(Buffer.from('another'))
    expect((await get(`/ipfs/${cid}`)).status).toBe(400)
    const accept = 'application/vnd.ipld.raw'
    expect((await get(`/ipfs/${cid}`, { headers: { accept } })).status).toBe(200)
    expect((await get(`/ipfs/${missing}?format=raw`)).status).toBe(404)
    expect((await get('/ipfs/x?format=raw')).status).toBe(400)
    expect((await get(`/ipfs/${cid}/x?format=raw`)).status).toBe(400)
    expect((await get(`/ipfs/${cid}?format=raw`, { method: 'POST' })).status).toBe(405)
    expect((await get(`/ipns/${cid}?format=raw`)).status).toBe(404)
  })

  it('with hosts of their own sends there', async () => {
    const { node, server, get } = await gateway({ subdomains: true })
    const cid = node.provide(Buffer.from('x'))
    const answer = await get(`/ipfs/${cid}?format=raw`)
    expect(answer.status).toBe(301)
    const host = server.url.replace('http://', '')
    expect(answer.headers.get('location')).toBe(`http://${cid}.ipfs.${host}/?format=raw`)
  })
})
