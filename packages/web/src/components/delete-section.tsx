import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import classes from './delete-section.module.css';
import { Disabled } from './disabled.tsx';

export interface DeleteSectionProps {
  readonly heading: string;
  /** What the button says. */
  readonly label: string;
  /** Why it cannot be deleted; nothing when it can. */
  readonly reason: string | undefined;
  /** The question; it gets what closes it again. */
  readonly children: (close: () => void) => ReactNode;
}

/** At the foot of a page: the way to delete what it shows. */
export function DeleteSection({ heading, label, reason, children }: DeleteSectionProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <section className={classes.section} aria-label={heading}>
      <h2>{heading}</h2>
      {isAsking ? (
        children(() => setAsking(false))
      ) : (
        <div>
          <Disabled reason={reason}>
            <Button color="danger" onClick={() => setAsking(true)}>
              {label}
            </Button>
          </Disabled>
        </div>
      )}
    </section>
  );
}
