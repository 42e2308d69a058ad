import { NumberInput, Select } from '@mantine/core';
import type { SessionTimeout, TimeoutUnit } from '../lib/account/index.ts';
import { OptionalLabel } from './optional-label.tsx';
import classes from './session-timeout-field.module.css';

const UNITS: readonly { readonly value: TimeoutUnit; readonly label: string }[] = [
  { value: 'minutes', label: 'minutes' },
  { value: 'hours', label: 'hours' },
  { value: 'days', label: 'days' },
  { value: 'never', label: 'never' },
];

const LABEL = 'Log out after';

export interface SessionTimeoutFieldProps {
  readonly value: SessionTimeout;
  readonly onChange: (value: SessionTimeout) => void;
  readonly description: string;
  readonly error?: string | undefined;
  /** What holds when there is none. */
  readonly placeholder?: string;
  readonly isReadOnly?: boolean;
}

/** After how long without any use somebody is logged out: a number and its unit, or never. */
export function SessionTimeoutField(props: SessionTimeoutFieldProps) {
  const { value, onChange, description, error, placeholder, isReadOnly = false } = props;
  const isNever = value.unit === 'never';
  return (
    <NumberInput
      label={placeholder === undefined ? LABEL : <OptionalLabel text={LABEL} />}
      description={description}
      error={error}
      value={value.amount}
      readOnly={isReadOnly}
      disabled={isNever && !isReadOnly}
      hideControls
      {...(placeholder !== undefined && !isNever && { placeholder })}
      onChange={(amount) => onChange({ ...value, amount })}
      inputContainer={(number) => (
        <div className={classes.row}>
          {number}
          <Select
            aria-label="Unit of the time until the log-out"
            data={[...UNITS]}
            value={value.unit}
            allowDeselect={false}
            readOnly={isReadOnly}
            onChange={(next) => {
              const unit = UNITS.find((known) => known.value === next)?.value ?? value.unit;
              onChange({ amount: unit === 'never' ? '' : value.amount, unit });
            }}
          />
        </div>
      )}
    />
  );
}
