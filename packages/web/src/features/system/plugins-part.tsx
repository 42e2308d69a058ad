import { Button } from '@mantine/core';
import type { PluginState, PluginView } from '@millrace/contract';
import { IconPuzzle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmInline } from '../../components/confirm-inline.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Disabled, usePermissionReason } from '../../components/disabled.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Failed } from '../../components/failed.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { formatCount } from '../../lib/format/index.ts';
import type { StateTone } from '../../lib/states/index.ts';
import { pluginsQuery, useSwitchPlugin } from './queries.ts';
import classes from './system.module.css';
import { texts as common, pluginTexts as texts } from './texts.ts';

export function PluginsPart() {
  const { data, error, refetch } = useQuery(pluginsQuery);
  const [asked, setAsked] = useState<string>();
  return (
    <>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data !== undefined && data.length > 0 && (
        <DataTable
          label={common.parts.plugins}
          columns={columnsOf(setAsked)}
          rows={data}
          rowKey={({ unique_id }) => unique_id}
          below={(plugin) =>
            asked === plugin.name && <OffQuestion plugin={plugin} onDone={() => setAsked(undefined)} />
          }
        />
      )}
      {data?.length === 0 && (
        <EmptyState icon={<IconPuzzle size={20} />} title={texts.none}>
          {texts.noneWhy}
        </EmptyState>
      )}
    </>
  );
}

const TONES: Readonly<Record<PluginState, StateTone>> = {
  running: 'ok',
  switched_off: 'dim',
  failed: 'danger',
};

function columnsOf(onAsk: (name: string) => void): readonly Column<PluginView>[] {
  return [
    {
      key: 'plugin',
      title: texts.plugin,
      render: ({ name, version, description }) => (
        <>
          <strong>
            <bdi>{name}</bdi> {version}
          </strong>
          <div className={classes.quiet}>{description}</div>
        </>
      ),
    },
    {
      key: 'state',
      title: common.state,
      render: ({ state, reason }) => (
        <>
          <StateBadge tone={TONES[state]}>{texts.states[state]}</StateBadge>
          {reason !== null && <div className={classes.quiet}>{reason}</div>}
        </>
      ),
    },
    {
      key: 'adds',
      title: texts.adds,
      isMinor: true,
      render: ({ components }) => components.map(({ kind, name }) => `${kind}: ${name}`).join(', '),
    },
    {
      key: 'faults',
      title: texts.faults,
      align: 'end',
      width: '72px',
      isMinor: true,
      render: ({ faults }) => formatCount(faults),
    },
    {
      key: 'actions',
      title: common.actions,
      isActions: true,
      render: (plugin) => <SwitchButton plugin={plugin} onAsk={() => onAsk(plugin.name)} />,
    },
  ];
}

function SwitchButton({ plugin, onAsk }: { readonly plugin: PluginView; readonly onAsk: () => void }) {
  const change = useSwitchPlugin(plugin.name);
  const reason = usePermissionReason('plugins:edit', plugin.name, texts.thisPlugin);
  const isRunning = plugin.state === 'running';
  return (
    <>
      {change.error !== null && <Failed error={change.error} />}
      <Disabled reason={reason}>
        <Button loading={change.isPending} onClick={() => (isRunning ? onAsk() : change.mutate(true))}>
          {isRunning ? texts.switchOff : texts.switchOn}
        </Button>
      </Disabled>
    </>
  );
}

function OffQuestion({ plugin, onDone }: { readonly plugin: PluginView; readonly onDone: () => void }) {
  const change = useSwitchPlugin(plugin.name);
  return (
    <>
      <ConfirmInline
        question={texts.offQuestion(plugin.name)}
        action={texts.switchOff}
        isBusy={change.isPending}
        onConfirm={() => change.mutate(false, { onSuccess: onDone })}
        onCancel={onDone}
      />
      {change.error !== null && <Failed error={change.error} />}
    </>
  );
}
