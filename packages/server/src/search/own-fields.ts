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
