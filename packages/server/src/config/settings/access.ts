import { types } from '#core/index.ts';
import { optional, withDefault } from '../setting.ts';
import { sha256 } from '../value-types.ts';

export const accessSettings = {
  root_username: withDefault(
    types.text({
      maxLength: 100,
      pattern: /^[^\s:]+$/,
      expected: 'a name without blanks and colons',
    }),
    'admin',
    'The name of the built-in administrator.',
  ),
  root_password_sha2: optional(
    sha256(),
    'a password is generated at the first start and printed once',
    "The SHA-256 of the administrator's password in hex, as `printf %s YOUR_PASSWORD | sha256sum` prints it. Set the same on all nodes of a cluster. To get a new generated password, delete the file root_password in data_dir.",
  ),
  root_email: optional(types.email(), 'none', "The administrator's e-mail address.", {
    example: 'logs@example.org',
  }),
  root_timezone: withDefault(types.timeZone(), 'UTC', "The administrator's time zone.", {
    example: 'Europe/Berlin',
  }),
  password_secret: optional(
    types.secret({ minLength: 16 }),
    'generated at the first start and kept in data_dir',
    'The key that encrypts stored secrets, such as the passwords of inputs, follows from it. At least 16 characters, the same on all nodes of a cluster. If it changes, stored secrets must be entered again.',
  ),
  session_timeout: withDefault(
    types.duration({ min: '1m', max: '365d', bareUnit: 'ms' }),
    '8h',
    'How long a session may be idle before it ends, for users without a timeout of their own. Without a unit in milliseconds.',
  ),
};
