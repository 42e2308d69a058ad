import { fieldColumn } from '#storage/index.ts';

/**
 * Stands for the streams of a message that the caller may read. `MessageSource` replaces it with SQL: a message of a
 * readable stream may also belong to others. No quoted name contains it: a backquote inside one has a backslash before it.
 */
export const VISIBLE_STREAMS = '<`visible streams`>';

/** The value of a field as a column inside `MessageSource.source`. */
export function visibleColumn(field: string): string {
  return field === 'streams' ? VISIBLE_STREAMS : fieldColumn(field).expression;
}

/** The built-in fields of a message in display order, after `_id` and `timestamp`. */
export const SHOWN_OWN_FIELDS: readonly string[] = [
  'source',
  'message',
  'full_message',
  'level',
  'streams',
  'gl2_source_input',
  'gl2_source_node',
  'gl2_remote_ip',
  'gl2_remote_port',
  'gl2_receive_timestamp',
];
