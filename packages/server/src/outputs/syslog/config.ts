import { SYSLOG_FACILITIES } from '#codecs/index.ts';
import { type ConfigurationOf, type ConfigurationProblem, field, types } from '#core/index.ts';
import {
  connectTimeoutField,
  destinationFields,
  destinationProblems,
  reconnectDelayField,
  resendWindowField,
} from '../net/fields.ts';
import { tlsClientFields, tlsClientProblems } from '../net/tls-client.ts';
import { GROUP } from '../queue-fields.ts';

const overTcp = { dependsOn: { field: 'protocol', value: ['TCP', 'TCP+TLS'] } };

export const syslogFields = {
  ...destinationFields({
    hostDescription: 'Host name or address of the syslog server.',
    portDescription: 'Port on which it receives syslog: mostly 514, with TLS 6514.',
    port: 514,
  }),
  protocol: field(types.choice({ TCP: 'TCP', 'TCP+TLS': 'TCP with TLS', UDP: 'UDP' }), {
    humanName: 'Protocol',
    description: 'Messages over TCP begin with their length (RFC 6587). UDP may lose messages.',
    default: 'TCP',
  }),
  facility: field(types.oneOf(SYSLOG_FACILITIES), {
    humanName: 'Facility',
    description: 'The facility of messages whose field "facility" does not name one.',
    default: 'user',
    optional: true,
    group: GROUP.messages,
  }),
  app_name: field(types.text({ pattern: /^[!-~]{1,48}$/, expected: 'up to 48 letters, digits and signs' }), {
    humanName: 'Application name',
    description: 'The application name of messages without a field "application_name".',
    default: 'millrace',
    optional: true,
    group: GROUP.messages,
  }),
  send_fields: field(types.boolean(), {
    humanName: 'Send fields',
    description: 'Send the fields of messages as structured data.',
    default: true,
    optional: true,
    group: GROUP.messages,
  }),
  structured_data_id: field(
    types.text({ pattern: /^[^\s="\]@]{1,20}@\d{1,10}$/, expected: 'a name, @ and an enterprise number' }),
    {
      humanName: 'Id of structured data',
      description:
        'The fields are sent under this id: a name, @, and the number that IANA gave your organisation.',
      default: 'millrace@32473',
      optional: true,
      group: GROUP.messages,
    },
  ),
  max_datagram_size: field(types.size({ min: '480b', max: '65507b' }), {
    humanName: 'Largest datagram',
    description:
      'Longer messages are sent over UDP without structured data, and if that is not enough, the end of their text is cut off.',
    default: 8192,
    optional: true,
    group: GROUP.messages,
    dependsOn: { field: 'protocol', value: 'UDP' },
  }),
  connect_timeout: { ...connectTimeoutField, ...overTcp },
  reconnect_delay: reconnectDelayField,
  resend_window: { ...resendWindowField, ...overTcp },
  ...tlsClientFields({ field: 'protocol', value: 'TCP+TLS' }),
};

export type SyslogConfig = ConfigurationOf<typeof syslogFields>;

export function syslogProblems(config: SyslogConfig): ConfigurationProblem[] {
  return [...tlsClientProblems(config), ...destinationProblems(config)];
}
