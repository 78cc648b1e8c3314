import { readFileSync } from 'node:fs'
import { z } from 'zod'

const namesSchema = z.record(z.string(), z.string()).default({})
const packageSchema = z.object({
  /** What the registry calls it, where its folder is called otherwise. */
  name: z.string().optional(),
  dev: z.boolean().default(false),
  link: z.boolean().default(false),
  dependencies: namesSchema,
  optionalDependencies: namesSchema,
  peerDependencies: namesSchema,
  peerDependenciesMeta: z
    .record(z.string(), z.object({ optional: z.boolean().default(false) }))
    .default({}),
})
export type LockedPackage = z.infer<typeof packageSchema>

/** What package-lock.json has, by folder; the project itself has the folder ''. */
export const packages: ReadonlyMap<string, LockedPackage> = new Map(
  Object.entries(
    z
      .object({ packages: z.record(z.string(), packageSchema) })
      .parse(JSON.parse(readFileSync('package-lock.json', 'utf8'))).packages,
  ),
)

/** The folders of what `npm ci --omit=dev` installs: it leaves out what is marked as "dev", and nothing else. */
export const inProduction: readonly string[] = [...packages]
  .filter(([path, { dev, link }]) => path !== '' && !dev && !link)
  .map(([path]) => path)
