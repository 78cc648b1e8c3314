import { globSync, readFileSync } from 'node:fs'

// Prints the amount of code: `node bench/size.ts`.

const folders = ['src', 'commands', 'sandbox', 'test', 'bench']
const kinds = '{ts,css,html,sol}'

for (const folder of folders) {
  const files = globSync(`${folder}/**/*.${kinds}`)
  const lines = files.map((file) => readFileSync(file, 'utf8').split('\n').length - 1)
  const sum = lines.reduce((total, each) => total + each, 0)
  const longest = Math.max(...lines)
  process.stdout.write(
    `${folder.padEnd(9)} ${String(files.length).padStart(4)} files ${String(sum).padStart(6)} lines, ` +
      `on average ${Math.round(sum / files.length)}, at most ${longest}\n`,
  )
}
