import { defineFunction, required } from '../define.ts';
import { longOfValue } from '../values/conversions.ts';
import { levelName } from '../values/syslog.ts';

export const syslogLevelFunction = defineFunction({
  name: 'syslog_level',
  description: 'The name of a syslog level.',
  params: [required('value', 'Object', 'Its number.')],
  returns: 'String',
  call: (_, value) => levelName(Number(longOfValue(value) ?? -1)),
});
