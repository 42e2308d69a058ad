import type { IncomingMessage } from 'node:http';

/** Why a request must be refused by the rules of HTTP itself, whatever it asks for. */
export interface UnmetDemand {
  readonly status: 400 | 417;
  /** One sentence. */
  readonly message: string;
}

const NO_HOST: UnmetDemand = {
  status: 400,
  message: 'The header Host is missing; HTTP/1.1 requires it.',
};
const UNKNOWN_EXPECTATION: UnmetDemand = {
  status: 417,
  message: 'The header Expect can only be 100-continue.',
};
/** As Node looks for it. */
const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i;

/**
 * Node's server would refuse such requests itself, without a body and without telling anybody. So servers have
 * `requireHostHeader: false` and a listener for `checkExpectation`, and ask this.
 */
export function unmetDemand({
  httpVersion,
  headers,
}: Pick<IncomingMessage, 'httpVersion' | 'headers'>): UnmetDemand | undefined {
  if (httpVersion !== '1.1') return undefined;
  if (headers.host === undefined) return NO_HOST;
  if (headers.expect !== undefined && !CONTINUE.test(headers.expect)) return UNKNOWN_EXPECTATION;
  return undefined;
}
