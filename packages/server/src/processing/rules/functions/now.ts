import { DateTime } from '@millrace/rules';
import { wantedZone } from '../dates/joda-pattern.ts';
import { defineFunction, optional } from '../define.ts';

export const nowFunction = defineFunction({
  name: 'now',
  description: 'The current time.',
  params: [optional('timezone', 'String', 'The time zone; UTC if it is left out.')],
  returns: 'DateTime',
  hasEffect: true,
  call: ({ environment }, timezone) => new DateTime(environment.now(), wantedZone(timezone)),
});
