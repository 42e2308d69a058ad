import type { FaultLedger } from '#core/index.ts';
import type { Repositories } from '#metadata/index.ts';
import type { SnapshotExtractor } from '../index.ts';

/** Extractors for the workers: those that may run. */
export async function readExtractors(
  { extractors }: Repositories,
  ledger: FaultLedger,
): Promise<SnapshotExtractor[]> {
  const running = (await extractors.list()).filter(({ disabledReason }) => disabledReason === null);
  return running.map((extractor) => ({
    id: extractor.id,
    inputId: extractor.inputId,
    title: extractor.title,
    type: extractor.type,
    cursorStrategy: extractor.cursorStrategy,
    sourceField: extractor.sourceField,
    targetField: extractor.targetField,
    configuration: extractor.configuration,
    converters: extractor.converters,
    conditionType: extractor.conditionType,
    conditionValue: extractor.conditionValue,
    faultSlot: ledger.slotOf(extractor.id),
  }));
}
