import { flexibleDate, wantedZone } from '../../rules/index.ts';
import { defineConverter } from '../converter.ts';
import { timeZoneField } from './time-zone.ts';

export const flexdate = defineConverter({
  id: 'flexdate',
  name: 'Flexible date',
  description: 'Reads a date in any usual form, also in English words. Without a date the field is removed.',
  fields: { time_zone: timeZoneField },
  create(_, { time_zone: zoneName }) {
    const zone = wantedZone(zoneName);
    return { kind: 'value', convert: (text, receivedAt) => flexibleDate(text, receivedAt, zone) };
  },
});
