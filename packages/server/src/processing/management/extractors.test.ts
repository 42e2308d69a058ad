import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { Caller } from '#core/index.ts';
import { INPUT } from '#testing/extractor-samples.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { openTestMetadata } from '#testing/metadata.ts';
import { STOCK_GROK_PATTERNS } from '../rules/index.ts';
import { createExtractors } from './extractors.ts';

const ADMIN: Caller = {
  remoteAddress: '192.0.2.1',
  principal: { userId: 'u', username: 'admin', can: () => true },
};

test('the API is served while an import is checked', async () => {
  const metadata = await openTestMetadata();
  onTestFinished(() => metadata.close());
  const { id } = await metadata.repositories.inputs.insert(INPUT);
  let turn = 0;
  const counting = { isOn: true };
  onTestFinished(() => {
    counting.isOn = false;
  });
  void (async () => {
    for (; counting.isOn; turn++) await setImmediate();
  })();
  const turns = new Set<number>();
  const extractors = createExtractors({
    metadata,
    audit: { record: async () => {} },
    metrics: { get: () => undefined },
    changed: async () => {},
    // Asked for each extractor that is checked.
    grokPatterns() {
      turns.add(turn);
      return STOCK_GROK_PATTERNS;
    },
    enabled: async () => {},
    tools: { try: () => Promise.reject(new Error('not here')) },
    clock: new ManualClock(),
  });
  const pattern = (index: number) => ({
    title: `Pattern ${index}`,
    extractor_type: 'grok',
    extractor_config: { grok_pattern: `%{WORD:a} ${index}` },
    source_field: 'message',
    target_field: '',
    cursor_strategy: 'copy' as const,
    converters: [],
    condition_type: 'none' as const,
    condition_value: '',
    order: 0,
  });
  const { imported } = await extractors.import(ADMIN, id, [1, 2, 3, 4].map(pattern));
  expect([imported, turns.size]).toEqual([4, 4]);
});
