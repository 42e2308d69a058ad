import { Button } from '@mantine/core';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { useUnstoredPreference } from '../../lib/account/index.ts';
import { messageOf } from '../../lib/api/index.ts';
import classes from './shell.module.css';

/** Preferences are changed in many places, some of which close at once: what became of them is said here. */
export function UnstoredPreference() {
  const unstored = useUnstoredPreference();
  if (unstored === undefined) return null;
  return (
    <div className={classes.unstored}>
      <InlineNotice
        kind="danger"
        title="Your preferences could not be stored"
        actions={
          <>
            <Button onClick={unstored.tryAgain}>Try again</Button>
            <Button onClick={unstored.forget}>Close</Button>
          </>
        }
      >
        {messageOf(unstored.error)} What you changed may be as before when you load this page again.
      </InlineNotice>
    </div>
  );
}
