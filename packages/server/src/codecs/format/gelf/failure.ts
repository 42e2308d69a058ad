export type GelfFailureReason = 'empty' | 'not_json' | 'not_object' | 'no_message' | 'too_deep';

/** A frame that is no message: why, for programs and for people. */
export class GelfFailure {
  readonly reason: GelfFailureReason;
  readonly detail: string;

  constructor(reason: GelfFailureReason, detail: string) {
    this.reason = reason;
    this.detail = detail;
  }
}
