import { Button, NumberInput } from '@mantine/core';
import type { Input } from '@millrace/contract';
import { type FormEvent, useState } from 'react';
import { Disabled, usePermissionReason } from '../../components/disabled.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Failed } from '../../components/failed.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { sentence } from '../../lib/format/index.ts';
import { type CombinedState, isFailed, isWanted } from './input-state.ts';
import classes from './inputs.module.css';
import { requestOf, useChangeInput, useRunInput } from './queries.ts';
import { texts } from './texts.ts';

const MAX_PORT = 65_535;

export function InputStateBadge({ combined }: { readonly combined: CombinedState }) {
  const { tone, word, nodes, state } = combined;
  const alike = nodes.filter((node) => node.state === state).length;
  return (
    <>
      <StateBadge tone={tone}>{word}</StateBadge>
      {nodes.length > 1 && alike < nodes.length && (
        <div className={classes.quiet}>{texts.partly(alike, nodes.length)}</div>
      )}
    </>
  );
}

export interface InputProps {
  readonly input: Input;
  readonly combined: CombinedState;
}

/** Starts or stops it. Nothing while nobody knows whether it runs. */
export function RunButton({ input, combined }: InputProps) {
  const run = useRunInput(input.id);
  const reason = usePermissionReason('inputs:changestate', input.id, texts.thisInput);
  if (combined.state === undefined) return null;
  const isRunning = isWanted(combined);
  return (
    <>
      {run.error !== null && <Failed error={run.error} />}
      <Disabled reason={reason}>
        <Button loading={run.isPending} onClick={() => run.mutate(!isRunning)}>
          {isRunning ? texts.stop : texts.start}
        </Button>
      </Disabled>
    </>
  );
}

/** Why it does not run, and what can be done about it. Nothing when it runs. */
export function FailureNotice({ input, combined }: InputProps) {
  const [isChanging, setChanging] = useState(false);
  const run = useRunInput(input.id);
  const runReason = usePermissionReason('inputs:changestate', input.id, texts.thisInput);
  const editReason = usePermissionReason('inputs:edit', input.id, texts.thisInput);
  if (!isFailed(combined)) return null;
  const hasPort = typeof input.effective_attributes.port === 'number';
  return (
    <div className={classes.failure}>
      <InlineNotice
        kind="danger"
        actions={
          <>
            {hasPort && (
              <Disabled reason={editReason}>
                <Button onClick={() => setChanging(true)}>{texts.changePort}</Button>
              </Disabled>
            )}
            <Disabled reason={runReason}>
              <Button loading={run.isPending} onClick={() => run.mutate(true)}>
                {texts.tryAgain}
              </Button>
            </Disabled>
          </>
        }
      >
        {combined.why !== undefined && sentence(combined.why)}
      </InlineNotice>
      {run.error !== null && <ErrorNotice error={run.error} />}
      {isChanging && <ChangePort input={input} onDone={() => setChanging(false)} />}
    </div>
  );
}

function ChangePort({ input, onDone }: { readonly input: Input; readonly onDone: () => void }) {
  const [port, setPort] = useState<number | string>(Number(input.effective_attributes.port));
  const change = useChangeInput(input.id);
  const isPort = typeof port === 'number' && Number.isInteger(port) && port >= 0 && port <= MAX_PORT;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPort) return;
    change.mutate(requestOf(input, { configuration: { ...input.attributes, port } }), { onSuccess: onDone });
  };
  return (
    <form className={classes.changePort} onSubmit={submit}>
      <NumberInput
        label={texts.port}
        description={texts.portHelp}
        error={isPort ? undefined : texts.notAPort}
        value={port}
        onChange={setPort}
        hideControls
        autoFocus
      />
      {change.error !== null && <ErrorNotice error={change.error} />}
      <div className={classes.buttons}>
        <Button type="submit" variant="filled" loading={change.isPending}>
          {texts.changeAndStart}
        </Button>
        <Button onClick={onDone}>{texts.cancel}</Button>
      </div>
    </form>
  );
}
