import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Keeps compiled code for the next start, where NODE_COMPILE_CACHE says or, if it can write there, beside the packages: a
// folder that others can write to could bring code of theirs. It knows only what is imported after this line.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url)))
const { run } = await import('./run.ts')
await run(process.env)
