/**
 * The command line behind a button of a launch: what it does, at which draft and rev (`k3f9a2bc.12`), and with what.
 * A word with anything but letters, digits and dashes in it is quoted, so that it comes back as it is.
 */
export function launchLine(action: string, at: string, ...words: readonly string[]): string {
  return ['launching', action, at, ...words.map(quoted)].join(' ')
}

function quoted(word: string): string {
  return /^[\w.-]+$/u.test(word) ? word : `"${word.replaceAll(/[\\"]/gu, '\\$&')}"`
}
