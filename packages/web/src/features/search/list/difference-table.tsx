import { Switch } from '@mantine/core';
import { useState } from 'react';
import { LogText } from '../../../components/log-text.tsx';
import { countOf } from '../../../lib/format/index.ts';
import { type LogMessage, messageKey } from '../../../lib/messages/index.ts';
import { formatInstant, useTimeZone } from '../../../lib/time/index.ts';
import { differences, shownValue } from './difference.ts';
import classes from './list.module.css';

const SHOWN_CHARACTERS = 2000;

/** The fields of marked messages side by side. */
export function DifferenceTable({ messages }: { readonly messages: readonly LogMessage[] }) {
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
                  {value === undefined ? (
                    'none'
                  ) : (
                    <LogText text={shownValue(field, value, zone)} limit={SHOWN_CHARACTERS} />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
