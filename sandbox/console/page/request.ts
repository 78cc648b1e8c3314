/** Asks the console's server, by POST where there is a body; rejects with a sentence for the person. */
export async function fetchJson<Result>(path: string, body?: object): Promise<Result> {
  const post = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  const response = await fetch(path, body && post)
  const answer = await response.json().catch(() => ({ message: 'The sandbox does not answer.' }))
  if (!response.ok) throw new Error(String(answer.message ?? response.statusText))
  return answer
}

/** The bytes of a file in base64. */
export async function fileText(file: File): Promise<string> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result)))
    reader.addEventListener('error', () => reject(reader.error))
    reader.readAsDataURL(file)
  })
  return url.slice(url.indexOf(',') + 1)
}
