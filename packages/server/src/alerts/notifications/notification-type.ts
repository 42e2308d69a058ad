import {
  type Clock,
  type ComponentDefinition,
  type ComponentType,
  type ConfigurationFields,
  type ConfigurationProblem,
  defineComponent,
  field,
  type RawConfiguration,
  types,
} from '#core/index.ts';
import type { HttpCaller } from './net/http-call.ts';
import type { NotificationSender } from './sending.ts';
import { templateProblem } from './template/template.ts';
import type { MailTransport } from './types/email/transport.ts';
import type { ScriptRunner } from './types/script/runner.ts';

/** What the senders of all types share. */
export interface NotificationContext {
  readonly http: HttpCaller;
  readonly mail: MailTransport;
  readonly scripts: ScriptRunner;
  readonly users: UserDirectory;
  /** A stream as the API shows it; undefined if it is gone. */
  readonly findStream: (id: string) => Promise<Readonly<Record<string, unknown>> | undefined>;
  /** The address of the web interface, with a slash at the end. */
  readonly webInterface: () => string;
  readonly clock: Clock;
}

export interface UserDirectory {
  /** By user name. */
  find(username: string): Promise<MailUser | undefined>;
}

export interface MailUser {
  readonly email: string;
  /** Null: the user has not chosen one. */
  readonly timeZone: string | null;
}

export interface NotificationType extends ComponentType<NotificationContext, NotificationSender> {
  readonly callback: CallbackFace;
  /** Whether creating one needs more than the right to change a stream. */
  readonly isPrivileged: boolean;
  /** What a configuration means that a client sends under one of the type's names. */
  normalize(raw: RawConfiguration, name: string): RawConfiguration;
}

/** The type as an alarm callback of a stream, where some fields have other names. */
export interface CallbackFace {
  readonly type: string;
  /** The names there, by the fields' own names. */
  readonly names: Readonly<Record<string, string>>;
}

export interface NotificationDefinition<Fields extends ConfigurationFields>
  extends ComponentDefinition<Fields, NotificationContext, NotificationSender> {
  readonly callback?: Partial<CallbackFace>;
  readonly isPrivileged?: boolean;
  readonly normalize?: NotificationType['normalize'];
}

export function defineNotificationType<Fields extends ConfigurationFields>(
  definition: NotificationDefinition<Fields>,
): NotificationType {
  const { callback, isPrivileged = false, normalize = (raw) => raw } = definition;
  const type = callback?.type ?? definition.wireType;
  const aliases = [...new Set([...(definition.aliases ?? []), type])].filter(
    (name) => name !== definition.wireType,
  );
  return {
    ...defineComponent({ ...definition, aliases }),
    callback: { type, names: callback?.names ?? {} },
    isPrivileged,
    normalize,
  };
}

export const GROUP = { template: 'Template', http: 'Connection', more: 'More' } as const;

/** What every type has. */
export const commonFields = {
  send_resolved: field(types.boolean(), {
    humanName: 'Say when it is over',
    description: 'Also send a notice when the alert is resolved.',
    default: false,
    optional: true,
  }),
  time_zone: field(types.timeZone(), {
    humanName: 'Time zone',
    description: 'For times in texts, where the receiver is not a user with a time zone of their own.',
    default: 'UTC',
    optional: true,
    group: GROUP.more,
  }),
};

/** A text of the template language, checked when it is saved. */
export const template = (options: { readonly multiline?: boolean } = {}) =>
  types.text({
    ...options,
    minLength: 0,
    check: (text) => {
      const problem = templateProblem(text);
      return problem === undefined ? undefined : `a valid template: ${problem}`;
    },
  });

/** For fields that are both secret and a URL. */
export function urlProblems(path: string, url: string): readonly ConfigurationProblem[] {
  const parsed = URL.parse(url);
  const fits = parsed !== null && /^https?:$/.test(parsed.protocol);
  return fits ? [] : [{ path, message: 'must be a URL such as https://hooks.example.org/services/1' }];
}
