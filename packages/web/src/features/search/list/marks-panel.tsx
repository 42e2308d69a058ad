import { Button } from '@mantine/core';
import { IconArrowsDiff, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { countOf } from '../../../lib/format/index.ts';
import { useShortcuts } from '../../../lib/keys/index.ts';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import classes from './list.module.css';
import type { Marks } from './use-marks.ts';

const Difference = lazyPart(async () => (await import('./difference-table.tsx')).DifferenceTable);

/** Compared side by side; more would not be read. */
const MAX_COMPARED = 4;

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
