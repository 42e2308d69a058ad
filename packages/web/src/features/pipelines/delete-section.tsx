import { Button } from '@mantine/core';
import type { PermissionName } from '@millrace/contract';
import { type ReactNode, useState } from 'react';
import { Disabled, usePermissionReason } from '../../components/disabled.tsx';
import classes from './pipelines.module.css';
import { texts } from './texts.ts';

export interface DeleteSectionProps {
  readonly heading: string;
  readonly permission: PermissionName;
  readonly id: string;
  readonly forWhat: string;
  /** The question; it gets what closes it again. */
  readonly children: (close: () => void) => ReactNode;
}

/** At the foot of a page: the way to delete what it shows. */
export function DeleteSection({ heading, permission, id, forWhat, children }: DeleteSectionProps) {
  const [isAsking, setAsking] = useState(false);
  const reason = usePermissionReason(permission, id, forWhat);
  return (
    <section className={classes.section} aria-label={heading}>
      <h2>{heading}</h2>
      {isAsking ? (
        children(() => setAsking(false))
      ) : (
        <div>
          <Disabled reason={reason}>
            <Button color="danger" onClick={() => setAsking(true)}>
              {texts.delete}
            </Button>
          </Disabled>
        </div>
      )}
    </section>
  );
}
