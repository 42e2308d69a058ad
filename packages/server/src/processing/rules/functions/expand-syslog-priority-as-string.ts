import { defineFunction, required } from '../define.ts';
import { longOfValue } from '../values/conversions.ts';
import { facilityName, levelName } from '../values/syslog.ts';

export const expandSyslogPriorityAsStringFunction = defineFunction({
  name: 'expand_syslog_priority_as_string',
  description: 'The names of the level and the facility of a syslog priority.',
  params: [required('value', 'Object', 'The priority.')],
  returns: 'Map',
  call: (_, value) => {
    const priority = Number(longOfValue(value) ?? 0);
    return new Map([
      ['level', levelName(priority & 7)],
      ['facility', facilityName(priority >> 3)],
    ]);
  },
});
