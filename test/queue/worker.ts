import { createLogger } from '../../src/log.ts'
import { EmbeddedQueue } from '../../src/queue/embedded.ts'
import { openStore } from '../../src/store/database.ts'

// A process that takes a job and never ends it, for a test to kill.
const [, , file = ''] = process.argv
const store = await openStore(file)
const queue = new EmbeddedQueue({
  store,
  log: createLogger('silent', []),
  now: () => Math.floor(Date.now() / 1000),
  lease: 1,
})
queue.handle('greet', () => {
  process.send?.('taken')
  return new Promise(() => undefined)
})
queue.start()
