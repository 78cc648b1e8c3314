import { CID } from 'multiformats/cid'
import { sha256 } from 'multiformats/hashes/sha2'
import { afterEach, describe, expect, it } from 'vitest'
import { fileCid, rawBlockCid } from '../../../sandbox/ipfs/cid.ts'
import { GatewayServer } from '../../../sandbox/ipfs/gateway.ts'
import { KuboServer } from '../../../sandbox/ipfs/kubo.ts'
import { PinataServer } from '../../../sandbox/ipfs/pinata.ts'
import type { IpfsFault } from '../../../sandbox/ipfs/server.ts'

const jwt = 'a-jwt-for-tests'
const servers: { stop(): Promise<void> }[] = []

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()))
})

async function running<Server extends { stop(): Promise<void> }>(
  starting: Promise<Server>,
): Promise<Server> {
  const server = await starting
  servers.push(server)
  return server
}

const kubo = () => running(KuboServer.start())
const pinata = () => running(PinataServer.start({ jwt }))

function form(bytes: string | Uint8Array<ArrayBuffer>, fields: Record<string, string> = {}) {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  body.append('file', new Blob([bytes], { type: 'image/webp' }), 'token.webp')
  return body
}

const usual = 'cid-version=1&raw-leaves=true&pin=true'

async function call(url: string, init: RequestInit = {}) {
  const response = await fetch(url, { method: 'POST', redirect: 'manual', ...init })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const add = (server: KuboServer, body: FormData | string, query = usual, init: RequestInit = {}) =>
  call(`${server.url}/api/v0/add?${query}`, { body, ...init })
const cat = (server: KuboServer, query: string) => call(`${server.url}/api/v0/cat?${query}`)
const pin = (server: PinataServer, body: FormData | string, authorization = `Bearer ${jwt}`) =>
  call(`${server.url}/v3/files`, { body, headers: { authorization } })

const hashOf = (text: string): string => JSON.parse(text).Hash

describe('CIDs', () => {
  // What `ipfs add` of a real node gives for these.
  it.each([
    ['hello world\n', 0, false, 'QmT78zSuBmuS4z925WZfrqQ1qHaJ56DQaTfyMUF7F8ff5o'],
    ['hello world', 0, false, 'Qmf412jQZiuVUtdgnB36FXFX7xg5V6KEbSJ4dpQuhkLyfD'],
    ['', 0, false, 'QmbFMke1KXqnYyBBWxB74N4c5SBnJMVAiMNRcGu6x1AwQH'],
    ['hello world\n', 1, true, 'bafkreifjjcie6lypi6ny7amxnfftagclbuxndqonfipmb64f2km2devei4'],
    ['', 1, true, 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku'],
  ] as const)('are those of a real node: %j as version %i', (text, cidVersion, rawLeaves, cid) => {
    expect(fileCid(Buffer.from(text), { cidVersion, rawLeaves }).cid).toBe(cid)
  })

  it('are one raw block up to 256 KiB, and a dag-pb node from the first byte beyond', async () => {
    const options = { cidVersion: 1, rawLeaves: true } as const
    const full = new Uint8Array(262_144).fill(7)
    const expected = CID.createV1(0x55, await sha256.digest(full)).toString()
    expect(fileCid(full, options)).toEqual({ cid: expected, size: 262_144 })
    expect(rawBlockCid(full)).toBe(expected)
    const longer = fileCid(new Uint8Array(262_145).fill(7), options)
    expect(CID.parse(longer.cid).code).toBe(0x70)
    expect(longer.size).toBeGreaterThan(262_145)
  })
})

describe('the stand-in of Kubo', () => {
  it('adds a file, answers one line of JSON, and keeps what was pinned', async () => {
    const server = await kubo()
    const answer = await add(server, form('hello world\n'))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.text.endsWith('\n')).toBe(true)
    const cid = 'bafkreifjjcie6lypi6ny7amxnfftagclbuxndqonfipmb64f2km2devei4'
    expect(JSON.parse(answer.text)).toEqual({ Name: 'token.webp', Hash: cid, Size: '12' })
    expect(server.find(cid)?.bytes.toString()).toBe('hello world\n')
    expect(server.pinned).toHaveLength(1)
    await add(server, form('gone with the next collection'), 'cid-version=1&pin=false')
    expect(server.pinned).toHaveLength(1)
  })

  it('gives the CID of its options, not the one that the caller expects', async () => {
    const server = await kubo()
    const cids = await Promise.all(
      ['', 'cid-version=1', 'cid-version=1&raw-leaves=false', 'raw-leaves=true'].map(
        async (query) => hashOf((await add(server, form('hello world\n'), query)).text),
      ),
    )
    expect(cids[0]).toMatch(/^Qm/)
    expect(cids[1]).toMatch(/^bafkrei/)
    expect(cids[2]).toMatch(/^bafybei/)
    expect(cids[3]).toBe(cids[1])
    expect((await add(server, form('x'), 'cid-version=2')).status).toBe(400)
    expect((await add(server, form('x'), 'cid-version=1&raw-leaves=yes')).status).toBe(400)
  })

  it('answers only POST requests of its own API, and no browsers', async () => {
    const server = await kubo()
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
      expect((await fetch(`${server.url}/api/v0/add?${usual}`, { method })).status).toBe(405)
    }
    for (const headers of [
      { origin: 'https://evil.example' },
      { referer: 'https://evil.example/' },
      { 'user-agent': 'Mozilla/5.0' },
    ]) {
      expect((await add(server, form('x'), usual, { headers })).status).toBe(403)
    }
    const other = await fetch(`${server.url}/api/v0/pin/ls`, { method: 'POST' })
    expect(other.status).toBe(404)
    expect(server.pinned).toEqual([])
  })

  it('refuses what is no upload of one file', async () => {
    const server = await kubo()
    const two = form('one')
    two.append('file', new Blob(['two']), 'two.webp')
    const none = new FormData()
    none.append('text', 'no file')
    for (const body of ['{}', none, two]) {
      const answer = await add(server, body)
      expect(answer.status).toBe(400)
      expect(JSON.parse(answer.text)).toMatchObject({ Type: 'error', Message: expect.any(String) })
    }
    expect(server.pinned).toEqual([])
  })

  it('reads a file that it has or finds, or the requested part of it', async () => {
    const server = await kubo()
    const found = server.provide(Buffer.from('on another node'))
    const added = async (version: number) =>
      hashOf((await add(server, form('hello world\n'), `cid-version=${version}`)).text)
    const [own, old] = [await added(1), await added(0)]
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

  it('searches for a missing file until it finds it or times out', async () => {
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
    const server = await running(GatewayServer.start({ of: node, ...options }))
    const get = (path: string, init: RequestInit = {}) =>
      fetch(`${server.url}${path}`, { redirect: 'manual', ...init })
    return { node, server, get }
  }

  it('gives a raw block, whatever the version of the CID', async () => {
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

  it('refuses everything but requests for raw blocks that it has', async () => {
    const { node, get } = await gateway()
    const cid = node.provide(Buffer.from('x'))
    const missing = rawBlockCid(Buffer.from('another'))
    const accept = 'application/vnd.ipld.raw'
    const cases: [path: string, status: number, init?: RequestInit][] = [
      [`/ipfs/${cid}`, 400],
      [`/ipfs/${cid}`, 200, { headers: { accept } }],
      [`/ipfs/${missing}?format=raw`, 404],
      ['/ipfs/x?format=raw', 400],
      [`/ipfs/${cid}/x?format=raw`, 400],
      [`/ipfs/${cid}?format=raw`, 405, { method: 'POST' }],
      [`/ipns/${cid}?format=raw`, 404],
    ]
    for (const [path, status, init] of cases) expect((await get(path, init)).status).toBe(status)
  })

  it('with subdomains redirects there', async () => {
    const { node, server, get } = await gateway({ subdomains: true })
    const cid = node.provide(Buffer.from('x'))
    const answer = await get(`/ipfs/${cid}?format=raw`)
    expect(answer.status).toBe(301)
    const host = server.url.replace('http://', '')
    expect(answer.headers.get('location')).toBe(`http://${cid}.ipfs.${host}/?format=raw`)
  })
})

describe('the stand-in of Pinata', () => {
  it('publishes a file if asked to, and else keeps it private', async () => {
    const server = await pinata()
    const cid = 'bafkreifjjcie6lypi6ny7amxnfftagclbuxndqonfipmb64f2km2devei4'
    const answer = await pin(server, form('hello world\n', { network: 'public' }))
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.text)).toMatchObject({
      data: { cid, size: 12, network: 'public', name: 'token.webp', mime_type: 'image/webp' },
    })
    await pin(server, form('hello world\n'))
    expect(server.pinned.map(({ network }) => network)).toEqual(['public', 'private'])
  })

  it('refuses a wrong JWT, another method, another path and what is no file', async () => {
    const server = await pinata()
    const wrong = await pin(server, form('x'), 'Bearer another')
    expect(wrong.status).toBe(401)
    expect(JSON.parse(wrong.text)).toEqual({ error: { code: 401, message: expect.any(String) } })
    expect((await fetch(`${server.url}/v3/files`)).status).toBe(405)
    expect((await fetch(`${server.url}/pinning/pinFileToIPFS`)).status).toBe(404)
    expect((await pin(server, '{}')).status).toBe(400)
    expect((await pin(server, new FormData())).status).toBe(400)
    expect((await pin(server, form('x', { network: 'all' }))).status).toBe(400)
    expect(server.pinned).toEqual([])
  })
})

describe.each(['Kubo', 'Pinata'] as const)('a %s that goes wrong', (name) => {
  async function going(fault: IpfsFault) {
    const server = name === 'Kubo' ? await kubo() : await pinata()
    server.fault = fault
    const send = () =>
      server instanceof KuboServer
        ? add(server, form('hello world\n'))
        : pin(server, form('hello world\n', { network: 'public' }))
    return { server, send }
  }

  it('returns another CID', async () => {
    const cid = 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku'
    const { send } = await going({ kind: 'lying', cid })
    expect((await send()).text).toContain(cid)
  })

  it.each([401, 403, 500])('refuses with %i, with and without a body', async (status) => {
    const { server, send } = await going({ kind: 'status', status })
    const told = await send()
    expect(told.status).toBe(status)
    expect(JSON.parse(told.text)).toBeTypeOf('object')
    server.fault = { kind: 'status', status, body: '' }
    expect(await send()).toMatchObject({ status, text: '' })
    expect(server.pinned).toEqual([])
    expect(server.added).toBe(2)
  })
})
