/**
 * Where a command of a Kubo node's RPC is called, and with which headers.
 * @param node http or https, with or without `/api/v0`; a name and password in it go as Basic authentication
 */
export function kuboCommand(
  node: string,
  command: string,
  options: Readonly<Record<string, string>>,
): { url: URL; headers: Record<string, string> } {
  const given = new URL(node)
  const prefix = given.pathname.replace(/\/+$/u, '').replace(/\/api\/v0$/u, '')
  return {
    url: new URL(`${prefix}/api/v0/${command}?${new URLSearchParams(options)}`, given.origin),
    headers: basicAuthorisation(given),
  }
}

function basicAuthorisation({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}
