import type { Setting } from '../setting.ts';
import { accessSettings } from './access.ts';
import { alertSettings } from './alerts.ts';
import { httpSettings } from './http.ts';
import { journalSettings } from './journal.ts';
import { nodeSettings } from './node.ts';
import { processingSettings } from './processing.ts';
import { searchSettings } from './search.ts';
import { storageSettings } from './storage.ts';

/** Every key there is. Help, example file, documentation and validation all follow from this table. */
export const settings = {
  ...nodeSettings,
  ...accessSettings,
  ...httpSettings,
  ...storageSettings,
  ...journalSettings,
  ...processingSettings,
  ...searchSettings,
  ...alertSettings,
};

/** The order and the headings under which people see them. */
export const settingGroups: readonly {
  title: string;
  settings: Readonly<Record<string, Setting<unknown>>>;
}[] = [
  { title: 'Node', settings: nodeSettings },
  { title: 'Administrator and sessions', settings: accessSettings },
  { title: 'HTTP: API and web interface', settings: httpSettings },
  { title: 'Storage', settings: storageSettings },
  { title: 'Journal', settings: journalSettings },
  { title: 'Inputs and processing', settings: processingSettings },
  { title: 'Search', settings: searchSettings },
  { title: 'Alerts and e-mail', settings: alertSettings },
];

type Settings = typeof settings;
export type SettingKey = keyof Settings;

/** As written: what was not set and has no fixed default is undefined. */
export type WrittenConfig = {
  readonly [Key in SettingKey]: Settings[Key] extends Setting<infer T, infer Kind>
    ? Kind extends 'default'
      ? T
      : T | undefined
    : never;
};

/**
 * The settings of this node, complete. Sizes are bytes, durations milliseconds, paths absolute; only what
 * may truly be absent is undefined.
 */
export type NodeConfig = {
  readonly [Key in SettingKey]: Settings[Key] extends Setting<infer T, infer Kind>
    ? Kind extends 'optional'
      ? T | undefined
      : T
    : never;
};
