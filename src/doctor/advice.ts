import { firewallText } from '../api/access.ts'
import type { NodeErrorKind } from '../chain/rpc.ts'
import type { ApiErrorKind } from '../errors.ts'

/** Advice for the operator if the API gave no usable answer. */
export const adviceByKind: Record<ApiErrorKind, string> = {
  unauthorised: 'The API refuses the key: check API_KEY.',
  forbidden: 'The API refuses the key: check API_KEY, and what it may do.',
  blocked: `The key was not even looked at: ${firewallText}.`,
  'not-found': 'There is no such endpoint there: check API_BASE_URL, which ends with /v1.',
  invalid: 'The API refuses the request: check API_QUERY_NAMES and CHAINS.',
  'rate-limited': 'The API asks for fewer calls: run this again later.',
  unavailable: 'Nothing usable answers there: check API_BASE_URL and the network.',
  malformed: 'Something other than the v1 API answers there: check API_BASE_URL.',
}

/** Faults of a node, without its URL. */
export const nodeFaults: Record<NodeErrorKind, string> = {
  unavailable: 'the node does not answer: check RPC_URLS',
  'wrong-chain': 'the node is on another chain: check RPC_URLS',
  malformed: 'no node answers there: check RPC_URLS',
}
