import { Button, TextInput } from '@mantine/core';
import { type ReactNode, useId, useRef, useState } from 'react';
import { useOneAtATime } from '../lib/use-one-at-a-time.ts';
import classes from './confirm-inline.module.css';
import { useQuestionFocus } from './use-question-focus.ts';

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
  const form = useRef<HTMLFormElement>(null);
  const [isSending, oneAtATime] = useOneAtATime();
  const [isConfirmed, setConfirmed] = useState(false);
  const isUnderWay = isSending || (isConfirmed && isBusy);
  useQuestionFocus(form, { isWanted: hasFocus, isBusy });
  // What is being done is not taken back: whoever cancels would believe that nothing happens.
  const cancel = () => !isUnderWay && onCancel();
  const mayConfirm = typeToConfirm === undefined || typed === typeToConfirm;
  return (
    <form
      ref={form}
      className={classes.confirm}
      aria-labelledby={questionId}
      onSubmit={(event) => {
        event.preventDefault();
        if (!mayConfirm || isBusy) return;
        setConfirmed(true);
        void oneAtATime(async () => onConfirm());
      }}
      onKeyDown={(event) => event.key === 'Escape' && cancel()}
    >
      <p id={questionId}>{question}</p>
      {typeToConfirm !== undefined && (
        <TextInput
          label={`Type ${typeToConfirm} to confirm`}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          data-first
        />
      )}
      <div className={classes.buttons}>
        <Button
          type="submit"
          variant="filled"
          color="danger"
          disabled={!mayConfirm}
          loading={isBusy || isSending}
        >
          {action}
        </Button>
        <Button onClick={cancel} disabled={isUnderWay} data-first={typeToConfirm === undefined || undefined}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
