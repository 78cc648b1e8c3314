// Runs before each script of package.json that runs TypeScript, on whatever Node.js there is: plain JavaScript, of a kind that
// those of years ago can read. A Node.js that is too old would end with words about a file's extension.
import { readFileSync } from 'node:fs'

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const needed = engines.node.replace('>=', '')
const [major, minor] = process.versions.node.split('.').map(Number)
const [neededMajor, neededMinor] = needed.split('.').map(Number)

if (major < neededMajor || (major === neededMajor && minor < neededMinor)) {
  process.stderr.write(
    `Gavel needs Node.js ${needed} or newer, and this is ${process.versions.node}. See https://nodejs.org/en/download\n`,
  )
  process.exitCode = 1
}
