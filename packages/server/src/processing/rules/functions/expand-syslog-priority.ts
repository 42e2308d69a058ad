import { defineFunction, required } from '../define.ts';
import { longOfValue } from '../values/conversions.ts';

export const expandSyslogPriorityFunction = defineFunction({
  name: 'expand_syslog_priority',
  description: 'The level and the facility of a syslog priority, as numbers.',
  params: [required('value', 'Object', 'The priority.')],
  returns: 'Map',
  call: (_, value) => {
    const priority = Number(longOfValue(value) ?? 0);
    return new Map([
      ['level', priority & 7],
      ['facility', priority >> 3],
    ]);
  },
});
