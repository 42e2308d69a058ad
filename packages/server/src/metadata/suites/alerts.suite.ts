import { describe, expect, test } from 'vitest';
import { anAlert, anAlertRule } from '#testing/alert-records.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { type MetadataBackend, open, openEmpty } from '#testing/metadata-backend.ts';
import { writeJson } from '../columns.ts';
import type { Migration } from '../migrate.ts';
import { alertSearch } from '../migrations/0021-alert-search.ts';
import { alertsAndEvents } from '../migrations/0023-alerts-and-events.ts';
import { migrations } from '../migrations/registry.ts';
import type { Metadata } from '../open.ts';
import { eventKeyId } from '../repositories/alerts.ts';

const aStream = {
  title: 'web',
  description: '',
  matchingType: 'AND',
  removeMatches: false,
  indexSetId: 'set',
  creator: 'anna',
  state: 'running',
  contentPack: null,
} as const;

interface OldAlert {
  readonly id: string;
  readonly content: object;
}

/** Stores alerts in the tables as they were before a step. */
async function storeBefore(uri: string, step: Migration, alerts: readonly OldAlert[]): Promise<void> {
  const before = await open(uri, { migrations: migrations.slice(0, step.version - 1) });
  await insertRows(before, alerts);
  await before.close();
}

async function insertRows({ db }: Metadata, alerts: readonly OldAlert[]): Promise<void> {
  const rows = alerts.map(({ id, content }) => ({
    id,
    rule_id: 'deleted',
    stream_id: null,
    key_id: id,
    triggered_at: 1,
    event_stored: true,
    content: writeJson(content),
  }));
  await db
    .insertInto('alerts')
    .values(rows as never)
    .execute();
}

export function alertsSuite(backend: MetadataBackend): void {
  describe('alert rules', () => {
    test('a rule is stored, replaced as a whole and removed, and each change changes the revision', async () => {
      const clock = new ManualClock();
      const { alertRules, streams } = (await openEmpty(backend, { clock })).repositories;
      const { id: streamId } = await streams.insert(aStream, []);
      const revisions = [await alertRules.revision()];
      const rule = await alertRules.insert(anAlertRule({ streams: [streamId] }));
      expect(rule.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(rule).toEqual({
        ...anAlertRule({ streams: [streamId] }),
        id: rule.id,
        createdAt: clock.now(),
        updatedAt: clock.now(),
      });
      revisions.push(await alertRules.revision());
      clock.advance(1000);
      const everything = await alertRules.insert(
        anAlertRule({
          schedule: { kind: 'cron', expression: '0 * * * *', timeZone: 'UTC' },
          extras: { text: 'ä \u0000' },
        }),
      );
      expect(await alertRules.list()).toEqual([rule, everything]);
      expect(await alertRules.listByStream(streamId)).toEqual([rule]);
      expect(await alertRules.find(everything.id)).toEqual(everything);
      const changed = { ...rule, title: 'Other', enabled: false, updatedAt: clock.now() };
      expect(await alertRules.update(rule.id, changed)).toEqual(changed);
      expect(await alertRules.update('unknown', changed)).toBeUndefined();
      revisions.push(await alertRules.revision());
      expect(await alertRules.remove(everything.id)).toBe(true);
      expect(await alertRules.remove(everything.id)).toBe(false);
      revisions.push(await alertRules.revision());
      expect(new Set(revisions).size).toBe(revisions.length);
    });

    test('rules and alerts of a stream end with it', async () => {
      const { alertRules, alerts, streams } = (await openEmpty(backend)).repositories;
      const { id: streamId } = await streams.insert(aStream, []);
      const rule = await alertRules.insert(anAlertRule({ streams: [streamId] }));
      await alerts.insert(anAlert({ ruleId: rule.id, streams: [streamId] }));
      await streams.remove(streamId);
      expect(await alertRules.list()).toEqual([]);
      expect(await alertRules.states()).toEqual([]);
      expect((await alerts.page({}, { limit: 10, offset: 0 })).total).toBe(0);
    });

    test('whoever knows the state of a rule moves it on, and nobody else', async () => {
      const clock = new ManualClock();
      const { alertRules } = (await openEmpty(backend, { clock })).repositories;
      const { id } = await alertRules.insert(anAlertRule());
      const created = clock.now();
      const initial = {
        ruleId: id,
        evaluatedUntil: created,
        attemptedAt: created,
        failures: 0,
        lastError: null,
        mutedUntil: null,
      };
      expect(await alertRules.states(id)).toEqual([initial]);
      expect(await alertRules.failed(id, 'away', created + 1)).toBe(1);
      expect(await alertRules.failed(id, 'still away', created + 2)).toBe(2);
      expect(await alertRules.failed('unknown', 'x', 0)).toBeUndefined();
      expect(await alertRules.states()).toEqual([
        { ...initial, failures: 2, lastError: 'still away', attemptedAt: created + 2 },
      ]);
      expect(await alertRules.advance(id, created - 1, created + 60, created + 61)).toBe(false);
      expect(await alertRules.advance(id, created, created + 60, created + 61)).toBe(true);
      expect(await alertRules.advance(id, created, created + 60, created + 61)).toBe(false);
      const moved = { ...initial, evaluatedUntil: created + 60, attemptedAt: created + 61 };
      expect(await alertRules.states()).toEqual([moved]);
      expect(await alertRules.mute(id, created + 500)).toBe(true);
      expect(await alertRules.mute('unknown', 1)).toBe(false);
      await alertRules.restart(id, created + 5);
      expect(await alertRules.states()).toEqual([
        { ...initial, evaluatedUntil: created + 5, attemptedAt: created + 5, mutedUntil: created + 500 },
      ]);
    });

    test('a node that stood still does not take an evaluation back that another one has moved on', async () => {
      const { alertRules } = (await openEmpty(backend)).repositories;
      const { id } = await alertRules.insert(anAlertRule());
      const [read] = await alertRules.states(id);
      const from = read?.evaluatedUntil ?? 0;
      const evaluatedUntil = async () => (await alertRules.states(id))[0]?.evaluatedUntil;
      await alertRules.advance(id, from, from + 60, from + 60);
      await alertRules.restart(id, from - 30, from);
      expect(await evaluatedUntil()).toBe(from + 60);
      await alertRules.restart(id, from - 30, from + 60);
      expect(await evaluatedUntil()).toBe(from - 30);
    });
  });

  describe('alerts', () => {
    const times = [1000, 2000, 3000];

    test('an alert is stored once for its rule, key and time, and resolved once', async () => {
      const { alerts } = (await openEmpty(backend)).repositories;
      expect(await alerts.insert(anAlert({ id: 'A' }))).toBe(true);
      expect(await alerts.insert(anAlert({ id: 'A' }))).toBe(false);
      expect(await alerts.insert(anAlert({ id: 'B' }))).toBe(false);
      const key = [{ field: 'source', value: 'ä'.repeat(5000) }];
      expect(await alerts.insert(anAlert({ id: 'C', key }))).toBe(true);
      expect(await alerts.find('C')).toMatchObject({ id: 'C', key, resolvedAt: null, notifiedAt: 1000 });
      expect(await alerts.find('B')).toBeUndefined();
      expect(await alerts.resolve('A', 5000)).toBe(true);
      expect(await alerts.resolve('A', 6000)).toBe(false);
      await alerts.notified('C', 7000);
      expect(
        (await alerts.findMany(['A', 'C', 'x']))
          .map(({ id, resolvedAt, notifiedAt }) => [id, resolvedAt, notifiedAt])
          .sort(),
      ).toEqual([
        ['A', 5000, 1000],
        ['C', null, 7000],
      ]);
      expect((await alerts.current(['rule'], 4999)).map(({ id }) => id)).toEqual(['A', 'C']);
      expect((await alerts.current(['rule'], 5000)).map(({ id }) => id)).toEqual(['C']);
      expect(await alerts.current(['other'], 0)).toEqual([]);
      expect(await alerts.lastTriggered(['rule', 'other'])).toEqual(new Map([['rule', 1000]]));
      for (const id of ['D', 'E']) {
        const event = { id, ruleId: 'filter', resolvedAt: 1000, sourceMessage: { id, index: 'web_0' } };
        expect(await alerts.insert(anAlert(event))).toBe(true);
        expect(await alerts.insert(anAlert({ ...event, id: `${id} again` }))).toBe(false);
        expect(await alerts.find(id)).toMatchObject(event);
      }
      expect((await alerts.resolveOfRule('rule', 8000)).map(({ id }) => id)).toEqual(['C']);
      expect(await alerts.resolveOfRule('rule', 9000)).toEqual([]);
    });

    test('only the last notice of each event key is read, of one rule and after a time', async () => {
      const { alerts } = (await openEmpty(backend)).repositories;
      const event = (id: string, host: string, notifiedAt: number | null, ruleId = 'filter') =>
        alerts.insert(
          anAlert({
            id,
            ruleId,
            eventKey: [host],
            notifiedAt,
            resolvedAt: 1000,
            sourceMessage: { id, index: 'web_0' },
          }),
        );
      await event('A', 'web-1', 1000);
      await event('B', 'web-1', 3000);
      await event('C', 'web-1', null);
      await event('D', 'web-2', 2000);
      await event('E', 'web-3', 4000);
      await event('F', 'web-4', 4000, 'other');
      await alerts.insert(anAlert({ id: 'G', ruleId: 'filter', eventKey: ['web-1'], notifiedAt: 9000 }));
      const keys = ['web-1', 'web-2', 'web-4'].map((host) => eventKeyId([host]));
      expect(await alerts.lastNotified('filter', keys, 2000)).toEqual(new Map([[keys[0], 3000]]));
      expect(await alerts.lastNotified('filter', keys, 1999)).toEqual(
        new Map([
          [keys[0], 3000],
          [keys[1], 2000],
        ]),
      );
      expect(await alerts.lastNotified('filter', [], 0)).toEqual(new Map());
    });

    test('pages are newest first, filtered by stream, time and state', async () => {
      const { alerts, streams } = (await openEmpty(backend)).repositories;
      const { id: streamId } = await streams.insert(aStream, []);
      for (const triggeredAt of times) {
        await alerts.insert(anAlert({ id: `of all ${triggeredAt}`, triggeredAt }));
        await alerts.insert(
          anAlert({ id: `web ${triggeredAt}`, triggeredAt, ruleId: 'w', streams: [streamId] }),
        );
      }
      await alerts.resolve('web 2000', 2500);
      const page = { limit: 10, offset: 0 };
      const ids = async (filter: Parameters<typeof alerts.page>[0], at = page) => {
        const { items, total } = await alerts.page(filter, at);
        return [total, items.map(({ id }) => id)];
      };
      expect(await ids({}, { limit: 2, offset: 1 })).toEqual([6, ['of all 3000', 'web 2000']]);
      const web = { streamIds: [streamId] };
      expect(await ids(web)).toEqual([3, ['web 3000', 'web 2000', 'web 1000']]);
      expect(await ids({ ...web, since: 2000 })).toEqual([2, ['web 3000', 'web 2000']]);
      expect(await ids({ ...web, state: 'resolved' })).toEqual([1, ['web 2000']]);
      expect(await ids({ ...web, state: 'unresolved' })).toEqual([2, ['web 3000', 'web 1000']]);
      expect(await ids({ streamIds: [] })).toEqual([0, []]);
    });

    test('pages are found by text and rule, and sorted as asked', async () => {
      const { alerts } = (await openEmpty(backend)).repositories;
      const some = [
        { id: 'a', title: 'Zebra 100%', description: 'one' },
        { id: 'b', title: 'ärger', description: 'under_score' },
        { id: 'c', title: 'Apple', description: 'null \0 and more', ruleId: 'other' },
      ];
      for (const [at, alert] of some.entries()) await alerts.insert(anAlert({ ...alert, triggeredAt: at }));
      await alerts.resolve('a', 30);
      await alerts.resolve('b', 10);
      await alerts.resolve('c', 20);
      const ids = async (...asked: [Parameters<typeof alerts.page>[0], Parameters<typeof alerts.page>[2]?]) =>
        (await alerts.page(asked[0], { limit: 10, offset: 0 }, asked[1])).items.map(({ id }) => id);
      expect(await ids({ text: 'ÄRGER' })).toEqual(['b']);
      expect(await ids({ text: '0%' })).toEqual(['a']);
      expect(await ids({ text: 'r_s' })).toEqual(['b']);
      expect(await ids({ text: '%' })).toEqual(['a']);
      expect(await ids({ text: 'null \0 and' })).toEqual(['c']);
      expect(await ids({ ruleId: 'other' })).toEqual(['c']);
      expect(await ids({}, { by: 'title', direction: 'asc' })).toEqual(['c', 'a', 'b']);
      expect(await ids({}, { by: 'resolved_at', direction: 'desc' })).toEqual(['a', 'c', 'b']);
      expect(await ids({}, { by: 'triggered_at', direction: 'asc' })).toEqual(['a', 'b', 'c']);
      await alerts.insert(anAlert({ id: 'open', title: 'Open', triggeredAt: 9 }));
      expect(await ids({}, { by: 'resolved_at', direction: 'desc' })).toEqual(['a', 'c', 'b', 'open']);
      expect(await ids({}, { by: 'resolved_at', direction: 'asc' })).toEqual(['open', 'b', 'c', 'a']);
    });

    test('events of rules that do not alert are on no page, but are found by their id', async () => {
      const { alerts, streams } = (await openEmpty(backend)).repositories;
      const { id: streamId } = await streams.insert(aStream, []);
      const ofStream = { streams: [streamId], ruleId: 'web' };
      await alerts.insert(anAlert({ ...ofStream, id: 'alert', triggeredAt: 1000 }));
      await alerts.insert(anAlert({ ...ofStream, id: 'event', triggeredAt: 2000, isAlert: false }));
      await alerts.insert(anAlert({ id: 'of all', triggeredAt: 3000, isAlert: false }));
      const only = { total: 1, items: [{ id: 'alert', isAlert: true }] };
      const ofOne = { streamIds: [streamId] };
      const unresolved = { state: 'unresolved' } as const;
      for (const filter of [{}, ofOne, unresolved, { ...ofOne, since: 1, ruleId: 'web', text: 'many' }]) {
        expect(await alerts.page(filter, { limit: 1, offset: 0 })).toMatchObject(only);
      }
      expect(await alerts.find('event')).toMatchObject({ id: 'event', isAlert: false });
      expect(await alerts.findMany(['alert', 'event'])).toHaveLength(2);
      expect(await alerts.current(['web'], 0)).toHaveLength(2);
      expect(await alerts.lastTriggered(['web'])).toEqual(new Map([['web', 2000]]));
      expect(await alerts.withoutEvent(10)).toHaveLength(3);
    });

    test('those from before the search are found by their whole text, too', async () => {
      const uri = await backend.newDatabase();
      const content = { title: 'Ärger im Netz', description: '12 messages', streams: [] };
      await storeBefore(uri, alertSearch, [{ id: 'old', content }]);
      const { alerts } = (await open(uri)).repositories;
      for (const text of ['ärger', 'NETZ', '12 mess']) {
        expect((await alerts.page({ text }, { limit: 10, offset: 0 })).total).toBe(1);
      }
    });

    test('of those that are stored already, the events of rules that do not alert leave the pages', async () => {
      const uri = await backend.newDatabase();
      const many = Array.from({ length: 1001 }, (_, at) => ({
        id: `event ${String(at).padStart(4, '0')}`,
        content: { isAlert: false, title: '', description: 'a \0 in it', streams: [] },
      }));
      const content = { isAlert: true, title: '', description: '', streams: [] };
      await storeBefore(uri, alertsAndEvents, [{ id: 'alert', content }, ...many]);
      const { alerts } = (await open(uri)).repositories;
      expect(await alerts.page({}, { limit: 10, offset: 0 })).toMatchObject({
        total: 1,
        items: [{ id: 'alert' }],
      });
      expect(await alerts.find('event 1000')).toMatchObject({ isAlert: false, description: 'a \0 in it' });
    });

    test('a node of the version before goes on recording alerts', async () => {
      const uri = await backend.newDatabase();
      const metadata = await open(uri);
      await insertRows(metadata, [{ id: 'old', content: { isAlert: true, title: '', streams: [] } }]);
      expect((await metadata.repositories.alerts.page({}, { limit: 10, offset: 0 })).total).toBe(1);
    });

    test('an alert is removed when it is old, resolved and its event is stored', async () => {
      const { alerts } = (await openEmpty(backend)).repositories;
      for (const triggeredAt of times) await alerts.insert(anAlert({ id: String(triggeredAt), triggeredAt }));
      expect((await alerts.withoutEvent(2)).map(({ id }) => id)).toEqual(['1000', '2000']);
      await alerts.resolve('1000', 1500);
      await alerts.resolve('2000', 2500);
      expect(await alerts.removeTriggeredBefore(5000)).toBe(0);
      await alerts.eventStored(['1000', '2000', '3000']);
      expect(await alerts.withoutEvent(2)).toEqual([]);
      expect(await alerts.removeTriggeredBefore(2000)).toBe(1);
      expect((await alerts.page({}, { limit: 10, offset: 0 })).total).toBe(2);
      expect(await alerts.removeTriggeredBefore(5000)).toBe(1);
    });
  });
}
