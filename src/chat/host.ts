/** Whose address it is, without its path, which may be secret. */
export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? 'another address'
}
