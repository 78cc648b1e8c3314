/** What a text of the database says; undefined where it is no JSON. Whoever asks checks what it is. */
export function storedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
