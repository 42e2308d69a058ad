import type { ValueType } from '#core/index.ts';

/**
 * One key of the configuration.
 *
 * `default`: has a value in any case; `fallback` is the default as one would write it.
 * `derived`: the default follows from other keys or from the machine; `fallback` says how, in words.
 * `optional`: may have no value at all; `fallback` says what happens then.
 */
export interface Setting<T, Kind extends SettingKind = SettingKind> {
  readonly type: ValueType<T>;
  readonly kind: Kind;
  readonly fallback: string;
  readonly description: string;
  readonly example?: string;
  /** The flag, when it is not the key itself. */
  readonly flag?: string;
  /** May not stand in the file. */
  readonly notInFile?: boolean;
}

export type SettingKind = 'default' | 'derived' | 'optional';

type Extras = Pick<Setting<unknown>, 'example' | 'flag' | 'notInFile'>;

export function withDefault<T>(
  type: ValueType<T>,
  fallback: string,
  description: string,
  extras: Extras = {},
): Setting<T, 'default'> {
  return { type, kind: 'default', fallback, description, ...extras };
}

export function derived<T>(
  type: ValueType<T>,
  fallback: string,
  description: string,
  extras: Extras = {},
): Setting<T, 'derived'> {
  return { type, kind: 'derived', fallback, description, ...extras };
}

export function optional<T>(
  type: ValueType<T>,
  fallback: string,
  description: string,
  extras: Extras = {},
): Setting<T, 'optional'> {
  return { type, kind: 'optional', fallback, description, ...extras };
}
