import { useIsFetching } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import classes from './shell.module.css';

/** What comes sooner needs no sign that it is coming. */
const PATIENCE_MS = 300;

/** A thin bar on top while something a person waits for is under way. Queries of a timer say `meta.isBackground`. */
export function LoadingBar() {
  const fetching = useIsFetching({ predicate: ({ meta }) => meta?.isBackground !== true });
  const isChangingPage = useRouterState({ select: ({ isLoading }) => isLoading });
  const isBusy = fetching > 0 || isChangingPage;
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (!isBusy) {
      setShown(false);
      return;
    }
    const timer = setTimeout(() => setShown(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [isBusy]);
  return isShown ? <div className={classes.loading} role="progressbar" aria-label="Loading" /> : null;
}
