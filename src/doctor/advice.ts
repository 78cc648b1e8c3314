import type { NodeError, NodeErrorKind } from '../chain/rpc.ts'
import type { ApiError, ApiErrorKind } from '../errors.ts'

/** Advice for the operator if the interface gave no usable answer. */
export const adviceByKind: Record<ApiErrorKind, string> = {
  unauthorised: 'The interface refuses the key: check API_KEY.',
  forbidden: 'The interface, or a proxy before it, refuses us: check API_KEY and who may call it.',
  'not-found': 'There is no such endpoint there: check API_BASE_URL, which ends with /v1.',
  invalid: 'The interface refuses the question: see its own documentation for query names.',
  'rate-limited': 'The interface asks for fewer calls: run this again later.',
  unavailable: 'Nothing usable answers there: check API_BASE_URL and the network.',
  malformed: 'Something else than the v1 interface answers there: check API_BASE_URL.',
}

/** Advice if a template could not be built. */
export function apiAdvice({ kind, status }: ApiError): string {
  if (kind === 'not-found') {
    return 'The interface does not know this template: check its id and its chain in TEMPLATES.'
  }
  if (kind === 'invalid') {
    return `The interface refuses to build it${status === undefined ? '' : ` (status ${status})`}: ask who runs it.`
  }
  return adviceByKind[kind]
}

/** Faults of a node, without its URL. */
export const nodeFaults: Record<NodeErrorKind, string> = {
  unavailable: 'the node does not answer: check RPC_URLS',
  'wrong-chain': 'the node is on another chain: check RPC_URLS',
  malformed: 'no node answers there: check RPC_URLS',
}

export function nodeAdvice({ kind }: NodeError): string {
  return `It can’t be rehearsed, since ${nodeFaults[kind]}.`
}
