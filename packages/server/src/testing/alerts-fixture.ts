import { pino } from 'pino';
import { createAlertDeliveries, createNoticeQueue } from '#alerts/notifications/service.ts';
import { type AlertsService, createAlertsService } from '#alerts/service.ts';
import {
  alertConditionRoutes,
  eventDefinitionRoutes,
  eventRoutes,
  type Route,
  streamAlertRoutes,
} from '#api/index.ts';
import { createNotifications, type Notifications } from '#system/service.ts';
import { createMetrics } from '#telemetry/index.ts';
import type { TestClickHouse } from './clickhouse.ts';
import {
  createSearchFixture,
  type FixtureMessage,
  type SearchFixture,
  type SearchFixtureOptions,
  type SearchFixtureParts,
} from './search-fixture.ts';

export interface AlertsFixture extends SearchFixture {
  readonly alerts: AlertsService;
  readonly routes: readonly Route[];
  readonly notifications: Notifications;
  /** Replaces what is stored already; by default everything is. */
  storedUntil(time: number | undefined): void;
  /** Messages of the stream `web`, received now. */
  receive(...messages: readonly FixtureMessage[]): Promise<void>;
  /** Lets time pass and evaluates every second, as a node does. */
  pass(milliseconds: number): Promise<void>;
  /** Creates a condition of the stream `web` and returns its id. */
  condition(type: string, parameters?: object, title?: string): Promise<string>;
  /** A notification of the stream `web`, so that notices are kept. */
  addNotification(): Promise<string>;
  /** The notices that were queued, oldest first: their kinds and texts. */
  notices(): Promise<{ readonly kind: string; readonly description: string; readonly content: never }[]>;
}

/** With one index set unless told otherwise: no message is in two tables then, and statements are faster. */
export type AlertsFixtureOptions = Pick<SearchFixtureOptions, 'hasOneIndexSet'>;

export const CHECK_INTERVAL_MS = 10_000;

/** Alerts over real messages, with time that passes by hand. Conditions are checked every 10 seconds. */
export async function createAlertsFixture(
  server: TestClickHouse,
  { hasOneIndexSet = true }: AlertsFixtureOptions = {},
): Promise<AlertsFixture> {
  const made = Promise.withResolvers<MadeAlerts>();
  let storedUntil: number | undefined;
  const fixture = await createSearchFixture(server, {
    hasOneIndexSet,
    routes: (parts) => {
      const alerts = makeAlerts(parts, () => storedUntil ?? parts.clock.now());
      made.resolve(alerts);
      return alerts.routes;
    },
  });
  const { alerts, routes, notifications } = await made.promise;
  const { clock, metadata, call, streamId } = fixture;
  return {
    ...fixture,
    alerts,
    routes,
    notifications,
    storedUntil: (time) => {
      storedUntil = time;
    },
    async receive(...messages) {
      const now = clock.now();
      await fixture.store(
        messages.map((message) => ({
          streams: ['web'],
          indexSets: ['web'],
          timestamp: now,
          receivedAt: now,
          ...message,
        })),
      );
    },
    async pass(milliseconds) {
      for (let passed = 0; passed < milliseconds; passed += 1000) {
        clock.advance(Math.min(1000, milliseconds - passed));
        await alerts.evaluateNow();
      }
    },
    async condition(type, parameters = {}, title = 'A condition') {
      const created = await call('POST', `/streams/${streamId('web')}/alerts/conditions`, {
        body: { type, title, parameters },
      });
      if (created.status !== 201) throw new Error(created.text);
      return created.body.alert_condition_id;
    },
    async addNotification() {
      const { id } = await metadata.repositories.alertNotifications.insert({
        streamId: streamId('web'),
        type: 'http',
        wireType: 'org.graylog2.alarmcallbacks.HTTPAlarmCallback',
        title: 'Tell them',
        description: '',
        configuration: { url: 'http://127.0.0.1:1/', send_resolved: true },
        creator: 'admin',
      });
      return id;
    },
    async notices() {
      const rows = await metadata.db.selectFrom('alert_notices').selectAll().orderBy('created_at').execute();
      return rows.map(({ kind, description, content }) => ({
        kind,
        description,
        content: JSON.parse(content ?? 'null') as never,
      }));
    },
  };
}

type MadeAlerts = Pick<AlertsFixture, 'alerts' | 'routes' | 'notifications'>;

function makeAlerts(parts: SearchFixtureParts, storedUntil: () => number): MadeAlerts {
  const { search, storage, metadata, audit, clock } = parts;
  const logger = pino({ level: 'silent' });
  const notifications = createNotifications(
    { notifications: metadata.repositories.notifications, logger },
    { nodeId: 'node-1' },
  );
  const alerts = createAlertsService(
    {
      metadata,
      audit,
      search,
      queue: createNoticeQueue({ metadata }),
      deliveries: createAlertDeliveries({ metadata, audit }),
      copyNotifications: async () => async () => {},
      eventStore: storage.ownMessages,
      notifications,
      isLeader: () => true,
      storedUntil,
      metrics: createMetrics({ clock }),
      clock,
      logger,
    },
    { nodeId: 'node-1', checkIntervalMs: CHECK_INTERVAL_MS },
  );
  const routes = [
    ...alertConditionRoutes(alerts),
    ...streamAlertRoutes(alerts),
    ...eventDefinitionRoutes(alerts),
    ...eventRoutes(alerts),
  ];
  return { alerts, notifications, routes };
}
