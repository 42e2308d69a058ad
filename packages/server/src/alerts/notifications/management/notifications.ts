import type {
  AlarmCallback,
  AlarmCallbackRequest,
  AlertReceiver,
  EventNotification,
  EventNotificationPage,
  EventNotificationRequest,
  EventNotificationsQuery,
  NotificationTypeView,
} from '@millrace/contract';
import {
  type Caller,
  errorMessage,
  ForbiddenError,
  InvalidError,
  NotFoundError,
  type Principal,
  ServiceError,
} from '#core/index.ts';
import type { AlertNotificationRecord } from '#metadata/index.ts';
import { createSender } from '../delivery/senders.ts';
import type { NotificationContext } from '../notification-type.ts';
import { NOTIFICATION_TYPES } from '../registry.ts';
import { wholeAttempt } from '../sending.ts';
import { createCopyNotifications } from './copies.ts';
import { callbackView, eventView, type Face, typeView } from './faces.ts';
import { createNotificationStore, type NotificationStoreDeps, type WantedNotification } from './store.ts';
import { testNotice } from './test-notice.ts';

/** The caller. Notifications they may not see are left out. */
type Reader = Pick<Principal, 'can'>;

/** The alarm callbacks of streams. */
export interface AlarmCallbacks {
  list(streamId: string): Promise<AlarmCallback[]>;
  /** Those of all streams that the reader may read. */
  listAll(reader: Reader): Promise<AlarmCallback[]>;
  get(streamId: string, id: string): Promise<AlarmCallback>;
  create(caller: Caller, streamId: string, request: AlarmCallbackRequest): Promise<string>;
  change(caller: Caller, streamId: string, id: string, request: AlarmCallbackRequest): Promise<void>;
  remove(caller: Caller, streamId: string, id: string): Promise<void>;
  /** Sends a test. Rejects with `DeliveryFailedError`. */
  test(caller: Caller, id: string): Promise<void>;
  /** Sends a test by all callbacks of a stream. */
  sendDummyAlert(streamId: string): Promise<void>;
  addReceiver(caller: Caller, streamId: string, receiver: AlertReceiver): Promise<void>;
  removeReceiver(caller: Caller, streamId: string, receiver: AlertReceiver): Promise<void>;
}

/** All notifications, those of streams too. */
export interface EventNotifications {
  page(reader: Reader, query: EventNotificationsQuery): Promise<EventNotificationPage>;
  get(id: string): Promise<EventNotification>;
  create(caller: Caller, request: EventNotificationRequest): Promise<EventNotification>;
  change(caller: Caller, id: string, request: EventNotificationRequest): Promise<EventNotification>;
  remove(caller: Caller, id: string): Promise<void>;
  test(id: string): Promise<void>;
  testUnsaved(caller: Caller, request: EventNotificationRequest): Promise<void>;
  types(face: Face): NotificationTypeView[];
}

export interface NotificationManagementDeps extends NotificationStoreDeps {
  readonly context: NotificationContext;
  /** Whether there is a mail server. */
  readonly mailEnabled: boolean;
}

/** 500, as Graylog answers it: the notification was tried and did not arrive. */
export class DeliveryFailedError extends ServiceError {
  override readonly name = 'DeliveryFailedError';
  constructor(message: string, cause: unknown) {
    super(message, 'delivery_failed', { cause });
  }
}

const TEST_TIMEOUT_MS = 60_000;

export function createNotificationManagement(deps: NotificationManagementDeps) {
  const store = createNotificationStore(deps);
  const { alertNotifications, streams } = deps.metadata.repositories;

  async function requireStream(id: string) {
    const stream = id.includes('\0') ? undefined : await streams.find(id);
    if (stream === undefined) throw new NotFoundError(`Stream ${id} not found!`);
    return stream;
  }

  async function sendTest(record: AlertNotificationRecord): Promise<void> {
    const stream = record.streamId === null ? undefined : await streams.find(record.streamId);
    const notice = testNotice(deps.clock.now(), stream);
    let warning: string | undefined;
    try {
      const sender = createSender(deps, record);
      ({ warning } = await sender.send(notice, wholeAttempt(AbortSignal.timeout(TEST_TIMEOUT_MS))));
    } catch (error) {
      throw new DeliveryFailedError(`The notification could not be sent: ${errorMessage(error)}`, error);
    }
    if (warning !== undefined) throw new DeliveryFailedError(warning, undefined);
  }

  return {
    callbacks: createCallbacks({ store, alertNotifications, requireStream, sendTest }),
    events: createEvents({ store, alertNotifications, sendTest, switches: deps }),
    copyOfStream: createCopyNotifications(deps),
  };
}

interface Parts {
  readonly store: ReturnType<typeof createNotificationStore>;
  readonly alertNotifications: NotificationManagementDeps['metadata']['repositories']['alertNotifications'];
  readonly sendTest: (record: AlertNotificationRecord) => Promise<void>;
}

type CallbackParts = Parts & { readonly requireStream: (id: string) => Promise<unknown> };

function createCallbacks(parts: CallbackParts): AlarmCallbacks {
  const { store, alertNotifications, requireStream, sendTest } = parts;
  const wantedOf = (request: AlarmCallbackRequest): WantedNotification => ({
    type: request.type,
    title: request.title ?? '',
    description: '',
    configuration: request.configuration ?? {},
    revision: request.revision,
  });
  return {
    ...createReceivers(parts),
    async list(streamId) {
      await requireStream(streamId);
      return (await alertNotifications.listByStream(streamId)).map(callbackView);
    },
    async listAll(reader) {
      const all = await alertNotifications.list();
      return all
        .filter(({ streamId }) => streamId !== null && reader.can('streams:read', streamId))
        .map(callbackView);
    },
    get: async (streamId, id) => callbackView(await store.requireOfStream(streamId, id)),
    async create(caller, streamId, request) {
      await requireStream(streamId);
      return store.create(caller, 'callback', streamId, wantedOf(request));
    },
    async change(caller, streamId, id, request) {
      const before = await store.requireOfStream(streamId, id);
      await store.change(caller, 'callback', before, {
        ...wantedOf(request),
        description: before.description,
      });
    },
    remove: async (caller, streamId, id) => store.remove(caller, await store.requireOfStream(streamId, id)),
    async test(caller, id) {
      const record = await store.require(id);
      const [permission, instance] =
        record.streamId === null
          ? (['eventnotifications:edit', id] as const)
          : (['streams:edit', record.streamId] as const);
      if (!caller.principal.can(permission, instance)) {
        throw new ForbiddenError(`Not authorized to send by notification ${id}`, {
          needs: `${permission}:${instance}`,
        });
      }
      await sendTest(record);
    },
    async sendDummyAlert(streamId) {
      await requireStream(streamId);
      const all = await alertNotifications.listByStream(streamId);
      if (all.length === 0) {
        throw new InvalidError(
          `The stream ${streamId} has no notifications. Add one to its alarmcallbacks first.`,
        );
      }
      for (const record of all) await sendTest(record);
    },
  };
}

/** The receivers of a stream are those of its e-mail notification. */
function createReceivers({ store, alertNotifications, requireStream }: CallbackParts) {
  async function changeReceivers(
    caller: Caller,
    streamId: string,
    { type, entity }: AlertReceiver,
    change: (receivers: readonly string[]) => readonly string[],
  ): Promise<void> {
    await requireStream(streamId);
    const [record] = (await alertNotifications.listByStream(streamId)).filter(
      (each) => each.type === 'email',
    );
    if (record === undefined) {
      throw new InvalidError(
        `The stream ${streamId} has no e-mail notification. Add one to its alarmcallbacks first.`,
      );
    }
    const field = type === 'users' ? 'user_recipients' : 'email_recipients';
    const given: unknown = record.configuration[field];
    const receivers = change(Array.isArray(given) ? given.map(String) : []);
    const changed = store.change(caller, 'event', record, {
      type: record.wireType,
      title: record.title,
      description: record.description,
      configuration: { ...record.configuration, [field]: receivers },
    });
    await changed.catch((error: unknown) => {
      throw ofReceiver(error, `config.${field}[${receivers.indexOf(entity)}]`);
    });
  }
  return {
    addReceiver: (caller: Caller, streamId: string, receiver: AlertReceiver) =>
      changeReceivers(caller, streamId, receiver, (all) => [...new Set([...all, receiver.entity])]),
    removeReceiver: (caller: Caller, streamId: string, receiver: AlertReceiver) =>
      changeReceivers(caller, streamId, receiver, (all) => all.filter((each) => each !== receiver.entity)),
  };
}

/** A problem with the receiver itself is told by the name that the caller gave it. */
function ofReceiver(error: unknown, place: string): unknown {
  const problem = error instanceof InvalidError && error.problems.find(({ path }) => path === place);
  if (!problem) return error;
  return new InvalidError(`The receiver ${problem.message}.`, { path: 'entity' });
}

type Switches = Pick<NotificationManagementDeps, 'scriptsEnabled' | 'mailEnabled'>;

/** Some types do nothing until an operator sets them up. */
function isTypeEnabled(id: string, { scriptsEnabled, mailEnabled }: Switches): boolean {
  if (id === 'script') return scriptsEnabled;
  return id !== 'email' || mailEnabled;
}

/** Those of streams belong to what is known of the stream. */
export function mayReadNotification(
  reader: Pick<Principal, 'can'>,
  { id, streamId }: Pick<AlertNotificationRecord, 'id' | 'streamId'>,
): boolean {
  return (
    reader.can('eventnotifications:read', id) || (streamId !== null && reader.can('streams:read', streamId))
  );
}

function createEvents(parts: Parts & { readonly switches: Switches }): EventNotifications {
  const { store, alertNotifications, sendTest, switches } = parts;
  return {
    async page(reader, query) {
      const all = (await alertNotifications.list()).filter((each) => mayReadNotification(reader, each));
      const sorted = sortedBy(all.map(eventView).filter(containing(query.query)), query);
      const start = (query.page - 1) * query.per_page;
      const notifications = sorted.slice(start, start + query.per_page);
      const { page, per_page } = query;
      return {
        total: sorted.length,
        count: notifications.length,
        page,
        per_page,
        query: query.query,
        notifications,
      };
    },
    get: async (id) => eventView(await store.require(id)),
    async create(caller, request) {
      const { face, ...wanted } = wantedOf(request);
      const id = await store.create(caller, face, null, wanted);
      return eventView(await store.require(id));
    },
    async change(caller, id, request) {
      const { face, ...wanted } = wantedOf(request);
      await store.change(caller, face, await store.require(id), wanted);
      return eventView(await store.require(id));
    },
    remove: async (caller, id) => store.remove(caller, await store.require(id)),
    test: async (id) => sendTest(await store.require(id)),
    async testUnsaved(caller, request) {
      const { face, ...wanted } = wantedOf(request);
      await sendTest(store.unsaved(caller, face, wanted));
    },
    types: (face) =>
      NOTIFICATION_TYPES.types.map((type) => typeView(type, face, isTypeEnabled(type.id, switches))),
  };
}

/** How Graylog wraps alarm callbacks that it took over from its versions up to 3.0. */
const LEGACY_CALLBACK = 'legacy-alarm-callback-notification-v1';

function wantedOf(request: EventNotificationRequest): WantedNotification & { readonly face: Face } {
  const { title, config, revision } = request;
  const description = request.description ?? '';
  const { type, ...configuration } = config;
  if (type !== LEGACY_CALLBACK) return { face: 'event', type, title, description, configuration, revision };
  const { callback_type: callbackType, callback_configuration: wrapped } = configuration;
  return {
    face: 'callback',
    type: typeof callbackType === 'string' ? callbackType : '',
    title,
    description,
    configuration: typeof wrapped === 'object' && wrapped !== null ? { ...wrapped } : {},
    revision,
  };
}

function containing(query: string): (notification: EventNotification) => boolean {
  const text = query.toLowerCase();
  return ({ title, description }) => `${title}\n${description}`.toLowerCase().includes(text);
}

function sortedBy(
  notifications: EventNotification[],
  { sort, order }: EventNotificationsQuery,
): EventNotification[] {
  const keyOf = (each: EventNotification) => (sort === 'type' ? each.config.type : each[sort]).toLowerCase();
  const direction = order === 'desc' ? -1 : 1;
  return notifications.sort((a, b) => {
    const [first, second] = [keyOf(a), keyOf(b)];
    return first === second ? 0 : first < second ? -direction : direction;
  });
}
