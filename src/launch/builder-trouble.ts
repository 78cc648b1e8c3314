import { NodeError } from '../chain/node-error.ts'
import { ApiError, type ApiErrorKind, UserError } from '../errors.ts'
import { PublishError } from './publish.ts'

const ofInterface: Record<ApiErrorKind, string> = {
  unauthorised: 'The data source refuses this bot’s key. The operator has to look into it.',
  forbidden: 'The data source refuses this request. The operator has to look into it.',
  'not-found': 'The data source does not know this template. The operator has to look into it.',
  invalid: 'The data source does not accept these answers. Change them, or ask the operator.',
  'rate-limited': 'The data source is busy. Go on in a minute.',
  unavailable: 'The data source does not answer right now. Go on in a moment.',
  malformed: 'The data source sent something that can’t be used. Go on in a moment.',
}

const ofPublisher: Record<PublishError['kind'], string> = {
  unavailable:
    'The picture could not be published: the IPFS service does not answer. Go on in a moment.',
  refused: 'The IPFS service refuses the picture. The operator has to look into it.',
  mismatch:
    'The IPFS service stored something else than the picture, so the launch stops here. The operator has to look into it.',
}

const ofNode: Record<NodeError['kind'], string> = {
  unavailable:
    'The chain’s node does not answer, so nothing could be simulated. Go on in a moment.',
  malformed: 'The chain’s node sent something that can’t be used. Go on in a moment.',
  'wrong-chain': 'The bot’s node is on another chain. The operator has to look into RPC_URLS.',
}

/** What a person reads of a step that failed, and what to do; undefined for what nobody foresaw. */
export function troubleText(error: unknown): string | undefined {
  if (error instanceof UserError) return error.message
  if (error instanceof ApiError) return ofInterface[error.kind]
  if (error instanceof PublishError) return ofPublisher[error.kind]
  if (error instanceof NodeError) return ofNode[error.kind]
  return undefined
}
