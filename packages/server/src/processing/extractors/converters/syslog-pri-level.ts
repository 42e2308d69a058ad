import { levelName, longOfValue } from '../../rules/index.ts';
import { definePlainConverter } from '../converter.ts';

export const syslogPriLevel = definePlainConverter(
  {
    id: 'syslog_pri_level',
    name: 'Syslog level from PRI',
    description: 'The name of the level in a syslog priority; a text that is no number stays.',
  },
  {
    kind: 'value',
    convert(text) {
      const priority = longOfValue(text);
      return priority === undefined ? text : levelName(Number(priority) & 7);
    },
  },
);
