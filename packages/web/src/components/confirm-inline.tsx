import { Button, TextInput } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import classes from './confirm-inline.module.css';

export interface ConfirmInlineProps {
  /** Names what is lost: "Delete millrace_40 and its 3 012 443 messages?" */
  readonly question: ReactNode;
  /** What the button does: "Delete". */
  readonly action: string;
  /** Where messages are lost, this has to be typed first. */
  readonly typeToConfirm?: string;
  readonly isBusy?: boolean;
  /** It takes the focus when it appears, since it stands where a button was just pressed. */
  readonly hasFocus?: boolean;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

/** Asks in place, where the button was, before something is destroyed. */
export function ConfirmInline(props: ConfirmInlineProps) {
  const { question, action, typeToConfirm, isBusy = false, hasFocus = true, onConfirm, onCancel } = props;
  const [typed, setTyped] = useState('');
  const questionId = useId();
  const mayConfirm = typeToConfirm === undefined || typed === typeToConfirm;
  return (
    <form
      className={classes.confirm}
      aria-labelledby={questionId}
      onSubmit={(event) => {
        event.preventDefault();
        if (mayConfirm) onConfirm();
      }}
      onKeyDown={(event) => event.key === 'Escape' && onCancel()}
    >
      <p id={questionId}>{question}</p>
      {typeToConfirm !== undefined && (
        <TextInput
          label={`Type ${typeToConfirm} to confirm`}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          autoFocus={hasFocus}
        />
      )}
      <div className={classes.buttons}>
        <Button type="submit" variant="filled" color="danger" disabled={!mayConfirm} loading={isBusy}>
          {action}
        </Button>
        <Button onClick={onCancel} autoFocus={hasFocus && typeToConfirm === undefined}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
