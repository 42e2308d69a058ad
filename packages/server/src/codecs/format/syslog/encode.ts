import type { FieldLayout, FieldValue, Message } from '#core/index.ts';
import type { Encoder } from '../codec.ts';

export interface SyslogEncodeOptions {
  /** 0 to 23: the facility of messages whose field `facility` does not name another. */
  readonly facility: number;
  /** The name of the sending program, for messages without a field `application_name`. */
  readonly appName: string;
  /** Sends the fields as structured data with this id. Undefined: without. */
  readonly structuredDataId: string | undefined;
}

/** The facilities of RFC 5424 by number. */
export const SYSLOG_FACILITIES = [
  'kern',
  'user',
  'mail',
  'daemon',
  'auth',
  'syslog',
  'lpr',
  'news',
  'uucp',
  'cron',
  'authpriv',
  'ftp',
  'ntp',
  'security',
  'console',
  'clock',
  'local0',
  'local1',
  'local2',
  'local3',
  'local4',
  'local5',
  'local6',
  'local7',
] as const;

const FACILITY_NUMBERS = new Map<string, number>(SYSLOG_FACILITIES.map((name, number) => [name, number]));
const NO_VALUE = '-';
const DEBUG = 7;
const LONGEST_NAME = 32;
/** These are parts of the header. */
const HEADER_FIELDS = new Set(['facility', 'application_name', 'process_id']);

/**
 * Encodes messages as RFC 5424: `<PRI>1 TIMESTAMP HOST APP-NAME PROCID MSGID [structured data] text`. A level outside of
 * syslog's is sent as debug. Names of fields are cut and cleaned as the format asks for.
 */
export function createSyslogEncoder(options: SyslogEncodeOptions): Encoder {
  const { structuredDataId } = options;
  const namesByLayout = new WeakMap<FieldLayout, readonly (string | undefined)[]>();

  function namesOf(layout: FieldLayout): readonly (string | undefined)[] {
    const known = namesByLayout.get(layout);
    if (known !== undefined) return known;
    const names = layout.names.map((name) => (HEADER_FIELDS.has(name) ? undefined : parameterName(name)));
    namesByLayout.set(layout, names);
    return names;
  }

  function structuredData(message: Message): string {
    if (structuredDataId === undefined) return NO_VALUE;
    let text = `[${structuredDataId} id="${message.id}"`;
    if (message.fullMessage !== undefined) text += parameter('full_message', message.fullMessage);
    const names = namesOf(message.layout);
    for (let position = 0; position < names.length; position++) {
      const name = names[position];
      const value = message.values[position];
      if (name !== undefined && value !== undefined) text += parameter(name, value);
    }
    return `${text}]`;
  }

  function encodeText(message: Message): string {
    const facility = facilityOf(message.getField('facility')) ?? options.facility;
    const severity = message.level >= 0 && message.level < DEBUG ? message.level : DEBUG;
    const header = [
      `<${facility * 8 + severity}>1`,
      new Date(message.timestamp).toISOString(),
      headerPart(message.source, 255),
      headerPart(message.getField('application_name') ?? options.appName, 48),
      headerPart(message.getField('process_id'), 128),
      NO_VALUE,
    ];
    return `${header.join(' ')} ${structuredData(message)} ${message.message}`;
  }

  return { encode: (message) => Buffer.from(encodeText(message), 'utf8') };
}

function facilityOf(value: FieldValue | undefined): number | undefined {
  if (typeof value === 'number')
    return Number.isInteger(value) && value >= 0 && value < 24 ? value : undefined;
  return typeof value === 'string' ? FACILITY_NUMBERS.get(value) : undefined;
}

/** Printable ASCII without blanks. */
function headerPart(value: FieldValue | undefined, maxLength: number): string {
  const text = value === undefined ? '' : String(value);
  return text.replaceAll(/[^!-~]/g, '_').slice(0, maxLength) || NO_VALUE;
}

function parameterName(name: string): string {
  return name.replaceAll(/[^!-~]|[="\]]/g, '_').slice(0, LONGEST_NAME);
}

function parameter(name: string, value: FieldValue): string {
  return ` ${name}="${String(value).replaceAll(/["\\\]]/g, '\\$&')}"`;
}
