import { expect, onTestFinished, test, vi } from 'vitest';
import type { Message } from '#core/index.ts';
import { anAlert, anAlertRule } from '#testing/alert-records.ts';
import { openTestMetadata } from '#testing/metadata.ts';
import { createEventOutbox } from './event-outbox.ts';

test('events are stored once, also after a failure; without new ones the outbox takes no queries', async () => {
  const metadata = await openTestMetadata();
  onTestFinished(() => metadata.close());
  const { alerts, alertRules } = metadata.repositories;
  const asked = vi.spyOn(alerts, 'withoutEvent');
  const stored: Message[] = [];
  let isAway = true;
  const store = async (_: string, __: string, messages: readonly { readonly message: Message }[]) => {
    if (isAway) throw new Error('away');
    stored.push(...messages.map(({ message }) => message));
  };
  const outbox = createEventOutbox({ metadata, messages: { store } }, { nodeId: 'node-1' });
  await outbox.flush();
  await outbox.flush();
  expect(asked).toHaveBeenCalledTimes(1);

  const rule = await alertRules.insert(anAlertRule());
  await alerts.insert(anAlert({ ruleId: rule.id }));
  await expect(outbox.flush()).rejects.toThrow('away');
  isAway = false;
  await outbox.flush();
  expect(stored).toHaveLength(1);
  await outbox.flush();
  asked.mockClear();
  await outbox.flush();
  expect(asked).not.toHaveBeenCalled();
  expect(stored).toHaveLength(1);
});
