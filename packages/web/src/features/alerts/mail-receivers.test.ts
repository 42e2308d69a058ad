import { expect, test } from 'vitest';
import { missingReceivers } from './mail-receivers.ts';

const MAIL = ['email_receivers', 'user_receivers', 'subject'];

test('a mail needs somebody to go to: an address or a user', () => {
  const problem = {
    path: 'email_receivers',
    message: 'Name an address, or a user below: nobody gets the mail.',
  };
  expect(missingReceivers(MAIL, {})).toEqual([problem]);
  expect(missingReceivers(MAIL, { email_receivers: [], user_receivers: [] })).toEqual([problem]);
  expect(missingReceivers(MAIL, { email_receivers: ['ops@example.org'] })).toEqual([]);
  expect(missingReceivers(MAIL, { user_receivers: ['anna'] })).toEqual([]);
  expect(missingReceivers(['url'], {})).toEqual([]);
});

test('of a notification that rules name, too', () => {
  const fields = ['email_recipients', 'user_recipients'];
  expect(missingReceivers(fields, {})).toMatchObject([{ path: 'email_recipients' }]);
  expect(missingReceivers(fields, { user_recipients: ['anna'] })).toEqual([]);
});
