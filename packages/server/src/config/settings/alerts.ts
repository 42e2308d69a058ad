import { types } from '#core/index.ts';
import { derived, optional, withDefault } from '../setting.ts';

const mail = { notInUseYet: 'alerts by e-mail' };

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
    mail,
  ),
  transport_email_hostname: optional(types.host(), 'none', 'The mail server.', {
    ...mail,
    example: 'mail.example.org',
  }),
  transport_email_port: withDefault(types.port(), '25', 'The port of the mail server.', {
    ...mail,
    example: '587',
  }),
  transport_email_use_auth: withDefault(
    types.boolean(),
    'false',
    'Log in at the mail server. Needs transport_email_auth_username and transport_email_auth_password.',
    mail,
  ),
  transport_email_auth_username: optional(types.text(), 'none', 'The user name at the mail server.', mail),
  transport_email_auth_password: optional(types.secret(), 'none', 'The password at the mail server.', mail),
  transport_email_use_tls: derived(
    types.boolean(),
    'true, unless transport_email_use_ssl is set',
    'Start TLS on the plain connection (STARTTLS), and send nothing without it.',
    mail,
  ),
  transport_email_use_ssl: withDefault(
    types.boolean(),
    'false',
    'Use TLS from the first byte on (SMTPS, usually port 465).',
    mail,
  ),
  transport_email_from_email: derived(
    types.email(),
    "millrace at the machine's name",
    'The sender of e-mails, for notifications that do not name one.',
    { ...mail, example: 'logs@example.org' },
  ),
  transport_email_web_interface_url: derived(
    types.httpUri(),
    'http_external_uri',
    'The address of the web interface for links in e-mails.',
    { ...mail, example: 'https://logs.example.org/' },
  ),
};
