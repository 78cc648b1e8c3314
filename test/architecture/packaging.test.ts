import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { webhookPathOf } from '../../src/core/adapter.ts'
import { settingNames } from '../../src/settings.ts'

const dockerfile = read('Dockerfile')
const compose = read('compose.yaml')
const unit = read('deploy/gavel.service')
const proxy = read('deploy/Caddyfile')
const guide = globSync('docs/operating/*.md').map(read).join('\n')

function read(file: string): string {
  return readFileSync(file, 'utf8')
}

/** What the pattern's group `it` holds, wherever it fits. */
function all(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(({ groups }) => groups?.it ?? '')
}

test('the image has the Node.js that the tests run on, by its digest', () => {
  const [version] = all(read('package.json'), /"node": "(?<it>\d+\.[\d.]+)"/gu)
  const [image] = all(dockerfile, /^ARG NODE_IMAGE=(?<it>.+)$/gmu)
  expect(image).toMatch(/@sha256:[0-9a-f]{64}$/u)
  expect(image?.split('@')[0]).toBe(`node:${version}-bookworm-slim`)
  expect(all(dockerfile, /^FROM (?<it>\S+)/gmu)).toHaveLength(2)
  expect(all(dockerfile, /^FROM \$\{(?<it>\w+)\}/gmu)).toEqual(['NODE_IMAGE', 'NODE_IMAGE'])
})

test('the image holds only what the Dockerfile copies, and all of that exists', () => {
  const copied = all(dockerfile, /^COPY (?!--from)(?<it>.+) \S+$/gmu).flatMap((each) =>
    each.split(' '),
  )
  expect(copied.filter((each) => !existsSync(each))).toEqual([])
  const ignored = all(read('.dockerignore'), /^(?<it>[^#\s].*)$/gmu)
  const [first, ...kept] = ignored
  expect(first).toBe('*')
  expect(kept.sort()).toEqual([...new Set(copied)].map((each) => `!${each}`).sort())
})

test('the image sets only the address to listen on and less memory, and runs as a number that is not root’s', () => {
  expect(all(dockerfile, /^ENV (?<it>.*)$/gmu)).toEqual([
    'HOST=0.0.0.0',
    'NODE_OPTIONS=--max-semi-space-size=32',
  ])
  const [making = '', image = ''] = dockerfile.split(/^FROM .+$/mu).slice(1)
  const users = (text: string) => all(text, /^USER (?<it>\S+)$/gmu)
  expect(users(image)).toEqual(['1000:1000'])
  // Node.js keeps what it compiles by the user's number.
  expect(users(making)).toEqual(['1000:1000', 'root'])
})

test('the image runs the bundle that it makes', () => {
  const bundled = all(read('bundle.ts'), /(?:entryPoints: \[|outdir: )'(?<it>[^']+)'/gu)
  expect(bundled).toEqual(['src/main.ts', 'dist'])
  expect(dockerfile).toMatch(/^RUN node bundle\.ts$/mu)
  expect(dockerfile).toMatch(/^COPY --from=packages \/app\/dist dist$/mu)
  expect(dockerfile).toMatch(/^CMD \["node", "dist\/main\.js"\]$/mu)
})

test('the bot in the image can read what was made of it, and not write to it', () => {
  const [making = '', image = ''] = dockerfile.split(/^FROM .+$/mu).slice(1)
  const [, locked = ''] = making.split(/^RUN node bundle\.ts$/mu)
  expect(locked).toMatch(/^USER root$/mu)
  // Node.js lets nobody but the user that wrote them read its files.
  const folders = 'dist node_modules/.cache'
  expect(locked).toContain(`RUN chown -R root:root ${folders} && chmod -R u=rwX,go=rX ${folders}\n`)
  expect(all(image, /(?<it>\bch(?:own|mod)\b.+)$/gmu)).toEqual(['chown 1000:1000 data'])
})

test('image, containers, service and guide start programs that exist', () => {
  const started = [dockerfile, compose, unit, guide].flatMap((text) =>
    all(text, /(?<it>\bsrc\/[\w/-]+\.ts)\b/gu),
  )
  expect(started).toContain('src/main.ts')
  expect(started.filter((file) => !existsSync(file))).toEqual([])
})

test('the containers set what the bot reads', () => {
  const [settings = ''] = all(compose, /^ {2}environment:\n(?<it>(?: {4}.+\n)+)/gmu)
  const names = all(settings, /^ {4}(?<it>[A-Z_]+):/gmu)
  expect(names).toEqual(['DATABASE_URL', 'PORT', 'HOST'])
  expect(names.filter((name) => !settingNames.includes(name))).toEqual([])
  // Beside these there is only what the file itself says to add.
  const asked = new Set(all(compose, /\$\{(?<it>\w+)/gu))
  expect([...asked].filter((name) => !settingNames.includes(name))).toEqual(['POSTGRES_PASSWORD'])
})

test('the proxy knows each replica and its port', () => {
  const replicas = all(compose, /^ {2}(?<it>[\w-]+): \*gavel$/gmu)
  const [port] = all(compose, /^ {4}PORT: (?<it>\d+)$/gmu)
  expect(replicas.length).toBe(2)
  expect(all(proxy, /(?<it>gavel-\S+)/gu)).toEqual(replicas.map((each) => `${each}:${port}`))
  expect(all(dockerfile, /^EXPOSE (?<it>\d+)$/gmu)).toEqual([port])
})

test('the proxy passes on public paths, and no metrics or health pages', () => {
  const [server, routes] = [read('src/web/server.ts'), read('src/web/routes.ts')]
  const paths = (text: string) => all(text, /@public path (?<it>.+)$/gmu)
  expect(paths(proxy)).toEqual([`/s/* ${webhookPathOf('telegram')}`])
  expect(paths(guide)).toEqual(paths(proxy))
  expect(routes).toContain("app.route('/s'")
  expect(server).toContain('[webhookPathOf(name), webhook]')
  const [health = ''] = all(proxy, /health_uri (?<it>\S+)/gu)
  expect(routes).toContain(`app.get('${health}'`)
})

test('everything that stops the bot waits longer than a stop takes', () => {
  const [milliseconds] = all(read('src/run.ts'), /^const maxStop = (?<it>[\d_]+)$/gmu)
  const takes = Number(milliseconds?.replaceAll('_', '')) / 1000
  const [container] = all(compose, /^ {2}stop_grace_period: (?<it>\d+)s$/gmu)
  const [service] = all(unit, /^TimeoutStopSec=(?<it>\d+)$/gmu)
  expect(takes).toBeGreaterThan(0)
  const runs = [dockerfile, guide, read('README.md')].flatMap((text) =>
    all(text.replaceAll('\\\n', ''), /(?<it>docker run (?!--rm).+)$/gmu),
  )
  expect(runs.length).toBeGreaterThan(2)
  for (const run of runs) {
    expect(Number(all(run, /--stop-timeout (?<it>\d+)/gu)[0])).toBeGreaterThan(takes)
    expect(run).toMatch(/ -p 127\.0\.0\.1:8080:8080 /u)
  }
  expect(Number(container)).toBeGreaterThan(takes)
  expect(Number(service)).toBeGreaterThan(takes)
})

test('a service that can’t start stays down in the end, even if each start takes long to fail', () => {
  const of = (name: string) => Number(all(unit, new RegExp(`^${name}=(?<it>\\d+)$`, 'gmu'))[0])
  const seconds = (start: number) => of('StartLimitBurst') * (of('RestartSec') + start)
  // Half a minute is long: all that a start waits for without end is the network.
  expect(seconds(30)).toBeLessThan(of('StartLimitIntervalSec'))
  expect(seconds(1) / 60).toBe(5)
  expect(guide).toMatch(/tried fifty\stimes, for five minutes to half an hour/u)
})

test('the database user of the guide owns the database it creates', () => {
  const owners = all(guide, /createdb (?<it>--owner=\w+|-U \w+|\S*)/gu)
  expect(new Set(owners)).toEqual(new Set(['--owner=gavel', '-U gavel']))
  expect(guide).toMatch(/createuser --pwprompt gavel\n.*createdb --owner=gavel gavel/u)
})

test('the README names every npm script', () => {
  const [scripts = ''] = all(read('package.json'), /"scripts": \{(?<it>[^}]+)/gu)
  // What npm runs before a script is no script of its own.
  const names = all(scripts, /^ +"(?!pre)(?<it>\w+)":/gmu)
  expect(names).toContain('move')
  const start = read('README.md')
  const named = (name: string) => start.includes(`npm run ${name}`) || start.includes(`npm ${name}`)
  expect(names.filter((name) => !named(name))).toEqual([])
})

test('the guide names every setting, and every file of the packaging', () => {
  expect(settingNames.filter((name) => !guide.includes(`| \`${name}\` |`))).toEqual([])
  const files = ['Dockerfile', 'compose.yaml', ...globSync('deploy/*')]
  expect(files.filter((file) => !guide.includes(file))).toEqual([])
})

test('a second bot’s service shares neither settings nor files with the first', () => {
  const [change = ''] = all(guide, /sed '(?<it>[^']+)' deploy\/gavel\.service/gu)
  const second = execFileSync('sed', [change, 'deploy/gavel.service'], { encoding: 'utf8' })
  const own = /\/(?:etc|var\/lib)\/gavel\b|^StateDirectory=gavel\b/u
  const lines = unit.split('\n').flatMap((line, index) => (own.test(line) ? [index] : []))
  expect(lines.length).toBeGreaterThanOrEqual(3)
  const changed = second.split('\n')
  expect(lines.filter((index) => !changed[index]?.includes('gavel-two'))).toEqual([])
  expect(second.replaceAll('gavel-two', 'gavel')).toBe(unit)
})
