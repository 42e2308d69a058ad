import { FindBox } from '../../components/find-box.tsx';
import { StreamSelect } from '../../components/stream-select.tsx';
import classes from './alerts.module.css';
import { listTexts as texts } from './texts.ts';

interface ListControlsProps {
  readonly label: string;
  readonly hint: string;
  readonly find: string;
  readonly streamId: string;
  readonly onFind: (find: string) => void;
  readonly onStream: (streamId: string) => void;
}

/** Narrows a list by words and by a stream. */
export function ListControls({ label, hint, find, streamId, onFind, onStream }: ListControlsProps) {
  return (
    <div className={classes.controls}>
      <FindBox label={label} hint={hint} group={texts.title} find={find} onFind={onFind} />
      <StreamSelect
        aria-label={texts.stream}
        placeholder={texts.allStreams}
        value={streamId === '' ? null : streamId}
        clearable
        clearButtonProps={{ 'aria-label': texts.allStreams }}
        onChange={(id) => onStream(id ?? '')}
      />
    </div>
  );
}
