import { expect, onTestFinished, test, vi } from 'vitest';
import { anAlertRule } from '#testing/alert-records.ts';
import { openTestMetadata } from '#testing/metadata.ts';
import { createRuleBook } from './rule-book.ts';

test('rules are read after changes only, and the book takes no queries meanwhile', async () => {
  const metadata = await openTestMetadata();
  onTestFinished(() => metadata.close());
  const { alertRules, clusterSettings } = metadata.repositories;
  const asked = vi.spyOn(alertRules, 'revision');
  const read = vi.spyOn(alertRules, 'list');
  const book = createRuleBook({ metadata }, { checkIntervalMs: 1000 });
  const refresh = async () => {
    for (const each of [asked, read]) each.mockClear();
    await book.refresh();
    return [asked.mock.calls.length, read.mock.calls.length];
  };
  expect(await refresh()).toEqual([1, 1]);
  expect(await refresh()).toEqual([0, 0]);
  await clusterSettings.set('something', 1);
  expect(await refresh()).toEqual([1, 0]);
  const { id } = await alertRules.insert(anAlertRule({ title: 'Errors' }));
  expect(await refresh()).toEqual([1, 1]);
  expect([...book.rules().map((rule) => rule.record), ...book.broken().map((rule) => rule.record)]).toEqual([
    expect.objectContaining({ id, title: 'Errors' }),
  ]);
  book.forget();
  expect(await refresh()).toEqual([0, 1]);
});
