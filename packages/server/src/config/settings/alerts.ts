import { derived, optional, withDefault } from '../setting.ts';
import { boolean, duration, email, host, httpUri, port, secret, text } from '../value-types.ts';

export const alertSettings = {
  alert_check_interval: withDefault(
    duration({ min: '1s', max: '1d', bareUnit: 's' }),
    '60',
    'How often alert conditions are checked. Without a unit in seconds.',
  ),
  transport_email_enabled: withDefault(boolean(), 'false', 'Send e-mail. Needs transport_email_hostname.'),
  transport_email_hostname: optional(host(), 'none', 'The mail server.', { example: 'mail.example.org' }),
  transport_email_port: withDefault(port(), '25', 'The port of the mail server.', { example: '587' }),
  transport_email_use_auth: withDefault(
    boolean(),
    'false',
    'Log in at the mail server. Needs transport_email_auth_username and transport_email_auth_password.',
  ),
  transport_email_auth_username: optional(text(), 'none', 'The user name at the mail server.'),
  transport_email_auth_password: optional(secret(), 'none', 'The password at the mail server.'),
  transport_email_use_tls: derived(
    boolean(),
    'true, unless transport_email_use_ssl is set',
    'Start TLS on the plain connection (STARTTLS), and send nothing without it.',
  ),
  transport_email_use_ssl: withDefault(
    boolean(),
    'false',
    'Use TLS from the first byte on (SMTPS, usually port 465).',
  ),
  transport_email_from_email: derived(
    email(),
    "millrace at the machine's name",
    'The sender of e-mails, for notifications that do not name one.',
    { example: 'logs@example.org' },
  ),
  transport_email_web_interface_url: derived(
    httpUri(),
    'http_external_uri',
    'The address of the web interface for links in e-mails.',
    { example: 'https://logs.example.org/' },
  ),
};
