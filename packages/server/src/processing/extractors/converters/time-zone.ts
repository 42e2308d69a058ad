import { field, types } from '#core/index.ts';
import { zoneOf } from '../../rules/index.ts';

const zone = types.text({
  check: (name) => (zoneOf(name) === undefined ? 'a time zone such as UTC or Europe/Berlin' : undefined),
});

export const timeZoneField = field(zone, {
  humanName: 'Time zone',
  description: 'Of a text that names none.',
  default: 'UTC',
});
