import { types } from '#core/index.ts';
import { derived, optional, withDefault } from '../setting.ts';
import { subnet } from '../value-types.ts';

export const alertSettings = {
  alert_check_interval: withDefault(
    types.duration({ min: '1s', max: '1d', bareUnit: 's' }),
    '60',
    'How often alert conditions are checked. Without a unit in seconds.',
  ),
  transport_email_enabled: withDefault(
    types.boolean(),
    'false',
    'Send e-mail. Needs transport_email_hostname.',
  ),
  transport_email_hostname: optional(types.host(), 'none', 'The mail server.', {
    example: 'mail.example.org',
  }),
  transport_email_port: withDefault(types.port(), '25', 'The port of the mail server.', {
    example: '587',
  }),
  transport_email_use_auth: withDefault(
    types.boolean(),
    'false',
    'Log in at the mail server. Needs transport_email_auth_username and transport_email_auth_password.',
  ),
  transport_email_auth_username: optional(types.text(), 'none', 'The user name at the mail server.'),
  transport_email_auth_password: optional(types.secret(), 'none', 'The password at the mail server.'),
  transport_email_use_tls: derived(
    types.boolean(),
    'true, unless transport_email_use_ssl is set',
    'Start TLS on the plain connection (STARTTLS), and send nothing without it.',
  ),
  transport_email_use_ssl: withDefault(
    types.boolean(),
    'false',
    'Use TLS from the first byte on (SMTPS, usually port 465).',
  ),
  transport_email_ca_file: optional(
    types.filePath(),
    'the certificate authorities that Node.js trusts',
    'Further certificates to trust when TLS is used: a PEM file, for a mail server with a certificate of your own.',
    { example: '/etc/millrace/tls/mail-ca.pem' },
  ),
  transport_email_from_email: derived(
    types.email(),
    "millrace at the machine's name",
    'The sender of e-mails, for notifications that do not name one.',
    { example: 'logs@example.org' },
  ),
  transport_email_web_interface_url: derived(
    types.httpUri(),
    'http_external_uri',
    'The address of the web interface for links in e-mails.',
    { example: 'https://logs.example.org/' },
  ),
  notification_allowed_networks: optional(
    types.list(subnet()),
    'none',
    'Networks that are not public and that notifications may call nevertheless: comma separated addresses or subnets. Otherwise they may call public addresses only, so that whoever configures a notification cannot reach your internal services.',
    { example: '10.1.0.0/16, 127.0.0.1' },
  ),
  notification_scripts_dir: optional(
    types.filePath(),
    'there are no notifications by script',
    'The folder of the programs that notifications may run. Only files that stand in this folder itself are run, as the user that runs Millrace.',
    { example: '/etc/millrace/scripts' },
  ),
  notification_limit_per_rule: withDefault(
    types.integer({ min: 1, max: 1_000_000 }),
    '30',
    'How many notices one alert rule may send in an hour. What is over a limit is held back, and one digest says how many there were.',
  ),
  notification_limit_per_notification: withDefault(
    types.integer({ min: 1, max: 1_000_000 }),
    '60',
    'How many notices one notification may send in an hour, for all rules.',
  ),
  notification_limit_total: withDefault(
    types.integer({ min: 1, max: 1_000_000 }),
    '600',
    'How many notices all notifications together may send in an hour.',
  ),
};
