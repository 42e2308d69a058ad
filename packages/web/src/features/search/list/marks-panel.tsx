import { Button, Switch } from '@mantine/core';
import { IconArrowsDiff, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { LogText } from '../../../components/log-text.tsx';
import { countOf } from '../../../lib/format/index.ts';
import { useShortcuts } from '../../../lib/keys/index.ts';
import { type LogMessage, messageKey } from '../../../lib/messages/index.ts';
import { formatInstant, useTimeZone } from '../../../lib/time/index.ts';
import { differences } from './difference.ts';
import classes from './list.module.css';
import type { Marks } from './use-marks.ts';

/** Compared side by side; more would not be read. */
const MAX_COMPARED = 4;
const SHOWN_CHARACTERS = 2000;

/** What is marked, and the difference between marked messages, below the list. */
export function MarksPanel({ marks }: { readonly marks: Marks }) {
  const [isOpen, setOpen] = useState(false);
  const { messages } = marks;
  const canCompare = messages.length > 1;
  useShortcuts([
    {
      keys: 'd',
      label: 'Difference of marked messages',
      group: 'Messages',
      run: () => canCompare && setOpen(!isOpen),
    },
  ]);
  if (messages.length === 0) return null;
  return (
    <section className={classes.marks} aria-label="Marked messages">
      <div className={classes.marksBar}>
        <span>{countOf(messages.length, 'marked message')}</span>
        <span className={classes.hint}>{canCompare ? '' : 'Mark another one (x) to compare them.'}</span>
        <Button
          size="compact-xs"
          disabled={!canCompare}
          aria-expanded={isOpen && canCompare}
          leftSection={<IconArrowsDiff size={14} />}
          onClick={() => setOpen(!isOpen)}
        >
          Difference (d)
        </Button>
        <Button size="compact-xs" leftSection={<IconX size={14} />} onClick={marks.clear}>
          Clear the marks
        </Button>
      </div>
      {isOpen && canCompare && <Difference messages={messages.slice(-MAX_COMPARED)} />}
    </section>
  );
}

function Difference({ messages }: { readonly messages: readonly LogMessage[] }) {
  const zone = useTimeZone();
  const [hasAll, setAll] = useState(false);
  const rows = differences(messages);
  const shown = hasAll ? rows : rows.filter(({ isSame }) => !isSame);
  const same = rows.length - rows.filter(({ isSame }) => !isSame).length;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className={classes.difference} tabIndex={0} aria-label="Difference">
      <Switch
        size="xs"
        checked={hasAll}
        onChange={(event) => setAll(event.currentTarget.checked)}
        label={`Also the ${countOf(same, 'field')} that are equal`}
      />
      <table>
        <thead>
          <tr>
            <th scope="col">Field</th>
            {messages.map((message) => (
              <th key={messageKey(message)} scope="col">
                {formatInstant(message.timestamp, zone, 'millisecond')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map(({ field, values, isSame }) => (
            <tr key={field} data-same={isSame}>
              <th scope="row">
                <bdi>{field}</bdi>
              </th>
              {values.map((value, at) => (
                <td key={messages[at]?.id ?? at} data-missing={value === undefined}>
                  {value === undefined ? 'none' : <LogText text={value} limit={SHOWN_CHARACTERS} />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
