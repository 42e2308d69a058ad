import { defineFunction, required } from '../define.ts';
import { longOfValue } from '../values/conversions.ts';
import { facilityName } from '../values/syslog.ts';

export const syslogFacilityFunction = defineFunction({
  name: 'syslog_facility',
  description: 'The name of a syslog facility.',
  params: [required('value', 'Object', 'Its number.')],
  returns: 'String',
  call: (_, value) => facilityName(Number(longOfValue(value) ?? -1)),
});
