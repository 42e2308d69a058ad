import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Timestamp } from '../../components/timestamp.tsx';
import { newestMessageQuery } from './queries.ts';
import { texts } from './texts.ts';
import classes from './welcome.module.css';

export function ResultStep({ count }: { readonly count: number }) {
  const { data: message } = useQuery(newestMessageQuery(count));
  if (count === 0) {
    return (
      <p className={classes.waiting} role="status">
        <Loader size={14} color="dim" aria-hidden="true" /> {texts.waiting}
      </p>
    );
  }
  return (
    <>
      <p role="status">{texts.stored(count)}</p>
      {message !== undefined && (
        <figure className={classes.message}>
          <figcaption>{texts.newest}</figcaption>
          <p className="mono">
            <span className={classes.dim}>
              <Timestamp value={String(message.timestamp)} precision="millisecond" /> {String(message.source)}
            </span>{' '}
            <bdi>{String(message.message)}</bdi>
          </p>
        </figure>
      )}
    </>
  );
}
