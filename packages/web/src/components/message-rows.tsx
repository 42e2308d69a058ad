import type { FoundMessageView } from '@millrace/contract';
import { fieldText, fromFound, type LogMessage } from '../lib/messages/index.ts';
import { LevelLabel } from './level-label.tsx';
import { LogText } from './log-text.tsx';
import classes from './message-rows.module.css';
import { Timestamp } from './timestamp.tsx';

export interface MessageRowsProps {
  readonly messages: readonly FoundMessageView[];
  /** What to say when there is none. */
  readonly nothing: string;
  readonly onTry: (message: LogMessage) => void;
}

const SHOWN_CHARACTERS = 500;

/** A click tries the message. */
export function MessageRows({ messages, nothing, onTry }: MessageRowsProps) {
  if (messages.length === 0) return <p className={classes.dim}>{nothing}</p>;
  return (
    <ul className={classes.rows}>
      {messages.map(fromFound).map((message) => (
        <li key={`${message.index}/${message.id}`}>
          <button
            type="button"
            className={classes.row}
            title="Try this message"
            onClick={() => onTry(message)}
          >
            <MessageLine message={message} />
          </button>
        </li>
      ))}
    </ul>
  );
}

export function MessageLine({ message }: { readonly message: LogMessage }) {
  const { level, source, message: text } = message.fields;
  return (
    <>
      <span className={classes.time}>
        <Timestamp value={new Date(message.timestamp).toISOString()} />
      </span>
      <span className={classes.level}>{typeof level === 'number' && <LevelLabel level={level} />}</span>
      <span className={classes.source}>
        <LogText text={fieldText(source)} isOneLine />
      </span>
      <span className={classes.text}>
        <LogText text={fieldText(text)} isOneLine limit={SHOWN_CHARACTERS} />
      </span>
    </>
  );
}
