import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'

const question = z.object({ id: z.number(), method: z.string(), params: z.array(z.unknown()) })
/** What a node is asked. */
export type Question = z.output<typeof question>

/** A node that answers as it is told to; `url` has a key in its path and another in its query. */
export async function serveNode(
  answer: (question: Question, response: ServerResponse) => void | Promise<void>,
) {
  const asked: Question[] = []
  const server = createServer(async (request, response) => {
    const read = question.parse(JSON.parse(await text(request)))
    asked.push(read)
    await answer(read, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    url: `http://127.0.0.1:${port}/v2/secret-in-path?key=secret-in-query`,
    host: `127.0.0.1:${port}`,
    asked,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** A provider in front of a chain: it passes on what it is asked, but answers some of it itself. */
export function serveProvider(
  { rpcUrl }: { rpcUrl: string },
  own: (question: Question) => object | undefined | Promise<object | undefined>,
) {
  return serveNode(async (question, response) => {
    const answer = await own(question)
    if (answer) return reply(response, question, answer)
    const body = JSON.stringify({ jsonrpc: '2.0', ...question })
    const headers = { 'content-type': 'application/json' }
    const passedOn = await fetch(rpcUrl, { method: 'POST', headers, body })
    response.writeHead(200, headers).end(await passedOn.text())
  })
}

/** Answers as a node does. */
export function reply(response: ServerResponse, { id }: Question, answer: object) {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
}
