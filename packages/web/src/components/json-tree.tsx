import { parseJson } from '../lib/exact-json.ts';
import classes from './json-tree.module.css';
import { LogText } from './log-text.tsx';

interface JsonTreeProps {
  readonly name?: string;
  readonly value: unknown;
  readonly depth?: number;
}

/** Levels that are open at first. */
const OPEN_DEPTH = 2;
const MAX_DEPTH = 50;
const MAX_ENTRIES = 500;
const MAX_TEXT = 5000;
/** Longer texts are shown as they are. */
const MAX_PARSED = 100_000;

/** JSON whose objects fold. Texts that hold JSON themselves fold too. */
export function JsonTree({ name, value, depth = 0 }: JsonTreeProps) {
  const inner = typeof value === 'string' ? parsed(value) : value;
  if (typeof inner !== 'object' || inner === null || depth > MAX_DEPTH) {
    return (
      <div className={classes.line}>
        <Name name={name} />
        <Scalar value={value} />
      </div>
    );
  }
  const entries = Object.entries(inner);
  const isList = Array.isArray(inner);
  const summary = `${isList ? '[' : '{'} ${entries.length} ${isList ? ']' : '}'}`;
  return (
    <details className={classes.node} open={depth < OPEN_DEPTH}>
      <summary>
        <Name name={name} />
        <span className={classes.dim}>
          {summary}
          {typeof value === 'string' && ' in a text'}
        </span>
      </summary>
      {entries.slice(0, MAX_ENTRIES).map(([key, part]) => (
        <JsonTree key={key} name={isList ? '' : key} value={part} depth={depth + 1} />
      ))}
      {entries.length > MAX_ENTRIES && (
        <p className={classes.dim}>{entries.length - MAX_ENTRIES} more: copy the JSON to see them.</p>
      )}
    </details>
  );
}

function Name({ name }: { readonly name: string | undefined }) {
  if (name === undefined || name === '') return null;
  return (
    <span className={classes.name}>
      <bdi>{JSON.stringify(name)}</bdi>:{' '}
    </span>
  );
}

function Scalar({ value }: { readonly value: unknown }) {
  if (typeof value === 'string') {
    return (
      <span className={classes.text}>
        "<LogText text={value} limit={MAX_TEXT} />"
        {value.length > MAX_TEXT && <span className={classes.dim}> …</span>}
      </span>
    );
  }
  return <span className={classes.scalar}>{JSON.stringify(value)}</span>;
}

function parsed(text: string): unknown {
  if (text.length > MAX_PARSED || !/^\s*[[{]/.test(text)) return undefined;
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
