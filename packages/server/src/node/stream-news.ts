import { createBackoff, errorMessage, systemTimers, type Timers } from '#core/index.ts';
import type { ProcessingSnapshot } from '#streams/service.ts';
import type { Logger } from '#telemetry/index.ts';

export interface StreamNewsDeps {
  /** Makes sure that the workers know these outputs. */
  readonly beforeStreams: (outputIds: readonly string[]) => Promise<void>;
  readonly tell: (snapshot: ProcessingSnapshot) => void;
  readonly logger: Logger;
  readonly timers?: Timers;
}

const PAUSES = { firstMs: 100, maxMs: 5000 };

/**
 * Tells the workers about streams, one snapshot after the other. Outputs come first, in any case: another node may have
 * created one that a stream uses now. While these cannot be read, the workers go on with the streams that they have.
 */
export function createStreamNews(deps: StreamNewsDeps): (snapshot: ProcessingSnapshot) => void {
  const { timers = systemTimers } = deps;
  const backoff = createBackoff(PAUSES);
  let newest: ProcessingSnapshot | undefined;
  let isTelling = false;

  async function tryToTell(snapshot: ProcessingSnapshot): Promise<void> {
    try {
      await deps.beforeStreams(outputIdsOf(snapshot));
    } catch (error) {
      deps.logger.warn(
        { reason: errorMessage(error) },
        'the outputs of changed streams could not be read; trying again',
      );
      await new Promise<void>((resolve) => void timers.schedule(backoff.next(), resolve));
      return;
    }
    backoff.reset();
    if (newest === snapshot) newest = undefined;
    deps.tell(snapshot);
  }

  async function tellAll(): Promise<void> {
    if (isTelling) return;
    isTelling = true;
    while (newest !== undefined) await tryToTell(newest);
    isTelling = false;
  }

  return (snapshot) => {
    newest = snapshot;
    void tellAll();
  };
}

function outputIdsOf({ streams, defaultStream, failureStream }: ProcessingSnapshot): string[] {
  return [...streams, defaultStream, failureStream].flatMap(({ outputIds }) => outputIds);
}
