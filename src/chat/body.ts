/** The bytes of a request, as they are; undefined where there are more than so many, of which no more are read then. */
export async function bodyOf(request: Request, most: number): Promise<Buffer | undefined> {
  if (Number(request.headers.get('content-length')) > most) return undefined
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > most) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
