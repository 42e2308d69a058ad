import { keyNames } from '../lib/keys/index.ts';
import classes from './key-hint.module.css';

/** The keys of a shortcut, as they are printed on the keyboard. */
export function KeyHint({ keys }: { readonly keys: string }) {
  return (
    <span className={classes.keys}>
      {keyNames(keys).map((name, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same key may come twice, and nothing is reordered
        <kbd key={index} className={classes.key}>
          {name}
        </kbd>
      ))}
    </span>
  );
}
