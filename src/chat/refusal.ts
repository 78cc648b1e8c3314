import { UserError } from '../errors.ts'
import { plainSpans, type Span } from './view.ts'

/** A refusal of which parts are to be typed: those stand out where it is shown. */
export class Refusal extends UserError {
  readonly spans: readonly Span[]

  constructor(spans: readonly Span[], options?: ErrorOptions) {
    super(plainSpans(spans), options)
    this.spans = spans
  }
}
