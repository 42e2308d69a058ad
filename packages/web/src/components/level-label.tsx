import classes from './level-label.module.css';

const LABELS = ['EMERG', 'ALERT', 'CRIT', 'ERROR', 'WARN', 'NOTE', 'INFO', 'DEBUG'] as const;
const NAMES = [
  'Emergency',
  'Alert, or no level was sent',
  'Critical',
  'Error',
  'Warning',
  'Notice',
  'Info',
  'Debug',
];

/** `3 ERROR`: for lists of values, where the number is what a query names. */
export function levelName(value: string): string | undefined {
  const label = LABELS[Number(value)];
  return label === undefined ? undefined : `${value} ${label}`;
}

/** A syslog level in a word, with a bar of its own shape: colour is never alone. */
export function LevelLabel({ level }: { readonly level: number }) {
  const label = LABELS[level];
  if (label === undefined) return <span className={classes.label}>{String(level)}</span>;
  return (
    <span className={classes.label} data-level={level} title={`${NAMES[level]} (${level})`}>
      {label}
    </span>
  );
}
