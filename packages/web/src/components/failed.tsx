import { messageOf } from '../lib/api/index.ts';
import classes from './failed.module.css';

/** Why the button beside it did not work. The button stays usable, so that it can be tried again. */
export function Failed({ error }: { readonly error: unknown }) {
  return (
    <span role="alert" className={classes.failed}>
      {messageOf(error)}
    </span>
  );
}
