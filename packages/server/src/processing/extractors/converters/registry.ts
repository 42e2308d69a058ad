import { createComponentRegistry } from '#core/index.ts';
import { csv } from './csv.ts';
import { date } from './date.ts';
import { flexdate } from './flexdate.ts';
import { hash } from './hash.ts';
import { ipAnonymizer } from './ip-anonymizer.ts';
import { lookupTable } from './lookup-table.ts';
import { lowercase } from './lowercase.ts';
import { numeric } from './numeric.ts';
import { splitAndCount } from './split-and-count.ts';
import { syslogPriFacility } from './syslog-pri-facility.ts';
import { syslogPriLevel } from './syslog-pri-level.ts';
import { tokenizer } from './tokenizer.ts';
import { uppercase } from './uppercase.ts';

/** A new converter is a file and a line. */
export const CONVERTERS = createComponentRegistry('converter', [
  csv,
  date,
  flexdate,
  hash,
  ipAnonymizer,
  lookupTable,
  lowercase,
  numeric,
  splitAndCount,
  syslogPriFacility,
  syslogPriLevel,
  tokenizer,
  uppercase,
]);
