import { facilityName, longOfValue } from '../../rules/index.ts';
import { definePlainConverter } from '../converter.ts';

export const syslogPriFacility = definePlainConverter(
  {
    id: 'syslog_pri_facility',
    name: 'Syslog facility from PRI',
    description: 'The name of the facility in a syslog priority; a text that is no number stays.',
  },
  {
    kind: 'value',
    convert(text) {
      const priority = longOfValue(text);
      return priority === undefined ? text : facilityName(Number(priority) >> 3);
    },
  },
);
