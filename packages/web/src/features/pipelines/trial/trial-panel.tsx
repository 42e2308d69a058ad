import { Switch } from '@mantine/core';
import { useState } from 'react';
import { MessageChooser } from '../../../components/message-chooser.tsx';
import { StreamSelect } from '../../../components/stream-select.tsx';
import type { LogMessage } from '../../../lib/messages/index.ts';
import classes from '../pipelines.module.css';
import { trialTexts } from '../texts.ts';
import { HistoryPanel } from './history-panel.tsx';
import { Simulated } from './simulated.tsx';
import type { WhatRuns } from './what-runs.ts';

export interface TrialPanelProps {
  /** What runs on the message; undefined while the source has problems. */
  readonly what: WhatRuns | undefined;
  /** What runs on stored messages; without it there is no such part. */
  readonly previewed?: WhatRuns | undefined;
  /** Whether the rule runs alone, or with all pipelines of the stream. */
  readonly scope?: { readonly runsAll: boolean; readonly onChange: (runsAll: boolean) => void } | undefined;
  /** A message that was chosen elsewhere. */
  readonly first?: LogMessage | undefined;
  readonly hasHistory?: boolean;
}

/** Tries rules on one message and on what is stored. */
export function TrialPanel({ what, previewed, scope, first, hasHistory = true }: TrialPanelProps) {
  const [chosen, setChosen] = useState<LogMessage | undefined>(first);
  const [stream, setStream] = useState<string | null>(null);
  const streamIds = stream === null ? [] : [stream];
  const settings = (
    <>
      <StreamSelect
        aria-label={trialTexts.stream}
        placeholder={trialTexts.anyStream}
        clearable
        value={stream}
        onChange={setStream}
      />
      {scope !== undefined && (
        <Switch
          label={trialTexts.withAll}
          checked={scope.runsAll}
          onChange={(event) => scope.onChange(event.currentTarget.checked)}
        />
      )}
    </>
  );
  return (
    <div className={classes.column}>
      <MessageChooser
        label={trialTexts.title}
        chosen={chosen}
        onChoose={setChosen}
        streams={streamIds}
        settings={settings}
      >
        {(message) => <Simulated what={what} message={message} streamId={stream ?? undefined} />}
      </MessageChooser>
      {hasHistory && <HistoryPanel what={previewed} streams={streamIds} onTry={setChosen} />}
    </div>
  );
}
