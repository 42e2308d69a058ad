import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconChevronDown, IconDots, IconPlayerPause, IconPlayerPlay, IconPower } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmInline } from '../../components/confirm-inline.tsx';
import { Disabled, usePermissionReason } from '../../components/disabled.tsx';
import { Failed } from '../../components/failed.tsx';
import { type ListedNode, type NodeFigures, roomMs } from '../../lib/nodes/index.ts';
import { saveFile } from '../../lib/save-file.ts';
import classes from './overview.module.css';
import { messageBytesQuery, type NodeAction, useNodeAction, useThreadDump } from './queries.ts';
import { actionTexts, texts } from './texts.ts';

export interface NodeActionsProps {
  readonly node: ListedNode;
  /** What says its effect before it happens. */
  readonly onAsk: (action: NodeAction) => void;
}

/** Pause or resume, what load balancers are told, a report, and the rest in a menu. */
export function NodeActions({ node, onAsk }: NodeActionsProps) {
  const act = useNodeAction(node.id);
  const pauseReason = usePermissionReason('processing:changestate', node.id, texts.thisNode);
  const [failed, setFailed] = useState<unknown>();
  const { overview } = node;
  if (overview === undefined) return null;
  const run = (action: NodeAction) =>
    act.mutate(action, { onError: setFailed, onSuccess: () => setFailed(undefined) });
  const isPaused = !overview.is_processing;
  return (
    <span className={classes.actions}>
      {failed !== undefined && <Failed error={failed} />}
      <Disabled reason={pauseReason}>
        <Button
          leftSection={isPaused ? <IconPlayerPlay size={16} /> : <IconPlayerPause size={16} />}
          loading={act.isPending}
          onClick={() => (isPaused ? run('resume') : onAsk('pause'))}
        >
          {isPaused ? actionTexts.resume : actionTexts.pause}
        </Button>
      </Disabled>
      <BalancerMenu node={node} onAsk={onAsk} onRun={run} />
      <ReportButton node={node} />
      <NodeMenu node={node} onAsk={onAsk} />
    </span>
  );
}

function BalancerMenu(props: NodeActionsProps & { readonly onRun: (action: NodeAction) => void }) {
  const { node, onAsk, onRun } = props;
  const reason = usePermissionReason('lbstatus:change', node.id, texts.thisNode);
  const item = { disabled: reason !== undefined, title: reason };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button rightSection={<IconChevronDown size={16} />}>{actionTexts.balancer}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item {...item} onClick={() => onAsk('lb-dead')}>
          {actionTexts.drain}
        </Menu.Item>
        <Menu.Item {...item} onClick={() => onAsk('lb-throttled')}>
          {actionTexts.throttle}
        </Menu.Item>
        <Menu.Item {...item} onClick={() => onAsk('lb-alive')}>
          {actionTexts.alive}
        </Menu.Item>
        <Menu.Item {...item} title={reason ?? actionTexts.byItselfAbout} onClick={() => onRun('lb-auto')}>
          {actionTexts.byItself}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** A file for whoever is asked for help: what the process does at this moment. */
function ReportButton({ node }: Pick<NodeActionsProps, 'node'>) {
  const reason = usePermissionReason('threads:dump', node.id, texts.thisNode);
  const report = useThreadDump(node.id);
  const make = () =>
    report.mutate(undefined, {
      onSuccess: (text) => saveFile(`report-${node.shortId}.json`, text, 'application/json'),
    });
  return (
    <>
      {report.error !== null && <Failed error={report.error} />}
      <Disabled reason={reason}>
        <Button title={actionTexts.reportAbout} loading={report.isPending} onClick={make}>
          {actionTexts.report}
        </Button>
      </Disabled>
    </>
  );
}

function NodeMenu({ node, onAsk }: NodeActionsProps) {
  const reason = usePermissionReason('node:shutdown', node.id, texts.thisNode);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={actionTexts.more(node.hostname)}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          color="danger"
          leftSection={<IconPower size={16} />}
          disabled={reason !== undefined}
          title={reason}
          onClick={() => onAsk('shut-down')}
        >
          {actionTexts.shutDown}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

export interface NodeQuestionProps {
  readonly node: ListedNode;
  readonly action: NodeAction;
  readonly figures: NodeFigures | undefined;
  readonly isOnlyNode: boolean;
  readonly onDone: () => void;
}

/** Says what an action does before it is done. */
export function NodeQuestion(props: NodeQuestionProps) {
  const { node, action, onDone } = props;
  const act = useNodeAction(node.id);
  const { data: bytes } = useQuery({ ...messageBytesQuery(node.id), enabled: action === 'pause' });
  return (
    <>
      <ConfirmInline
        question={questionOf(props, bytes)}
        action={CONFIRMATIONS[action]}
        isBusy={act.isPending}
        onConfirm={() => act.mutate(action, { onSuccess: onDone })}
        onCancel={onDone}
      />
      {act.error !== null && <Failed error={act.error} />}
    </>
  );
}

const CONFIRMATIONS: Readonly<Record<NodeAction, string>> = {
  pause: actionTexts.pause,
  resume: actionTexts.resume,
  'shut-down': actionTexts.shutDown,
  'lb-auto': actionTexts.byItself,
  'lb-alive': actionTexts.alive,
  'lb-dead': actionTexts.drain,
  'lb-throttled': actionTexts.throttle,
};

function questionOf(props: NodeQuestionProps, messageBytes: number | undefined): string {
  const { node, action, figures, isOnlyNode } = props;
  const name = node.hostname;
  switch (action) {
    case 'lb-dead':
      return actionTexts.drainQuestion(name);
    case 'lb-throttled':
      return actionTexts.throttleQuestion(name);
    case 'lb-alive':
      return actionTexts.aliveQuestion(name);
    case 'shut-down':
      return actionTexts.shutDownQuestion(name, figures?.waiting ?? 0, isOnlyNode);
    default:
      return actionTexts.pauseQuestion(name, figures && roomMs(figures, messageBytes));
  }
}
