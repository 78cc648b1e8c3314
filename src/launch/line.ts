/**
 * Makes a button's command line: the action, the draft and rev (`k3f9a2bc.12`), and arguments. Quotes arguments with
 * anything but letters, digits and dashes, so that parsing returns them unchanged.
 * @example
 * launchLine('set', 'k3f9a2bc.12', 'name', 'Moon Otter')
 */
export function launchLine(action: string, at: string, ...words: readonly string[]): string {
  return ['launching', action, at, ...words.map(quoted)].join(' ')
}

function quoted(word: string): string {
  return /^[\w.-]+$/u.test(word) ? word : `"${word.replaceAll(/[\\"]/gu, '\\$&')}"`
}
