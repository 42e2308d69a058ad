import type { SystemNotification } from './notifications.ts';

/** What an operator can do about it, by type: what to look at first, and what helps. */
const ADVICE: Partial<Record<SystemNotification['type'], string>> = {
  deflector_exists_as_index: 'Rename or delete the index that has this name, then rotate the index set.',
  multi_master: 'Check that all nodes use the same metadata database and that their clocks agree.',
  no_master:
    'Check that the nodes reach the metadata database. One of them takes the lead as soon as they do.',
  es_open_files: 'Raise the limit of open files of the ClickHouse process, then restart it.',
  es_cluster_red:
    'Start the ClickHouse server that does not answer, or mend the network between it and the nodes. Messages wait in the journals meanwhile.',
  es_unavailable:
    'Look at the log of the node for the reason, and check free disk space and memory. Messages wait in the journal meanwhile and are stored when it answers.',
  no_input_running: 'Create an input, or start one that is stopped.',
  input_failed_to_start:
    'Its page says why: mostly the port is taken by another program, or the address is not one of this machine. Change it and start the input again.',
  input_newline_delimited:
    'Switch the input between null byte and newline as the end of a message, or change the sender.',
  check_server_clocks: 'Let all nodes take their time from the same NTP servers.',
  outdated_version: 'Read what has changed, make a backup, and update.',
  email_transport_configuration_invalid:
    'Check the settings that begin with transport_email_ in the configuration of the node.',
  email_transport_failed:
    'Check that the mail server of transport_email_hostname answers and takes mail from this node; then send a test.',
  stream_processing_disabled:
    'One of its rules took too long. Make its regular expressions simpler, try them on the page of the stream, and resume it.',
  pipeline_rule_disabled:
    'It took too long. Simplify it, try it in the simulator, and save it: that switches it on again.',
  extractor_disabled:
    'It took too long. Simplify its expression, try it, and save it: that switches it on again.',
  gc_too_long:
    'The node needs more memory or more processor time: give it more, or spread the load over more nodes.',
  journal_utilization_too_high:
    'More arrives than is stored. Look whether processing is paused and whether the message storage answers; then at rules that take long. More room: message_journal_max_size.',
  journal_uncommitted_messages_deleted:
    'The journal was full and these messages are lost. Find out why they were not stored in time, and give the journal more room (message_journal_max_size).',
  output_disabled: 'Its page says what failed. Mend it, and resume the output.',
  alert_evaluation_failed:
    'The condition could not be checked. Look whether the message storage answers, and whether the query of the condition is valid.',
  output_failing:
    'Its destination does not answer or refuses messages; the page of the output says what it said. Messages wait on disk until it takes them.',
  output_dropped_messages:
    'Its queue was full. Find out why the destination takes so little, or give the queue more room.',
  index_ranges_recalculation: 'Calculate the index ranges again on the page of the index set.',
  alert_notification_failed:
    'The page of the notification says what the receiver answered. Mend it, send a test, then send again what failed.',
  alert_notifications_held_back:
    'More alerts came than may be sent; a summary follows. Make the conditions less eager, or raise the limit.',
  plugin_failed: 'Look at the log of the node for the reason. Update the plugin, or remove it and restart.',
  plugin_switched_off: 'It failed too often. Update the plugin, or remove it, and restart the node.',
};

const ANY = 'Look at the log of the node for more.';

export function adviceFor({ type }: Pick<SystemNotification, 'type'>): string {
  return ADVICE[type] ?? ANY;
}
