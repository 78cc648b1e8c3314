import { statfs } from 'node:fs/promises'

/** Bytes that the disk of a folder has left for this user. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** A number of bytes as operators read it: `12.5 MB`. */
export function sizeText(bytes: number): string {
  const [unit, name] = bytes < 1e9 ? [1e6, 'MB'] : [1e9, 'GB']
  return `${(bytes / unit).toFixed(1)} ${name}`
}
