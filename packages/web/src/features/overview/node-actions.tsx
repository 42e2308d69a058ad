import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconDots, IconPlayerPause, IconPlayerPlay, IconPower } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmInline } from '../../components/confirm-inline.tsx';
import { Disabled, usePermissionReason } from '../../components/disabled.tsx';
import { Failed } from '../../components/failed.tsx';
import { type ListedNode, type NodeFigures, roomMs } from '../../lib/nodes/index.ts';
import classes from './overview.module.css';
import { messageBytesQuery, type NodeAction, useNodeAction } from './queries.ts';
import { actionTexts, texts } from './texts.ts';

export interface NodeActionsProps {
  readonly node: ListedNode;
  /** What says its effect before it happens. */
  readonly onAsk: (action: NodeAction) => void;
}

/** Pause or resume, and everything else in a menu. */
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
      <NodeMenu node={node} onAsk={onAsk} onRun={run} />
    </span>
  );
}

function NodeMenu(props: NodeActionsProps & { readonly onRun: (action: NodeAction) => void }) {
  const { node, onAsk, onRun } = props;
  const balancerReason = usePermissionReason('lbstatus:change', node.id, texts.thisNode);
  const shutDownReason = usePermissionReason('node:shutdown', node.id, texts.thisNode);
  const balancer = { disabled: balancerReason !== undefined, title: balancerReason };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={actionTexts.more(node.hostname)}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{actionTexts.balancer}</Menu.Label>
        <Menu.Item {...balancer} onClick={() => onAsk('lb-dead')}>
          {actionTexts.drain}
        </Menu.Item>
        <Menu.Item {...balancer} onClick={() => onAsk('lb-throttled')}>
          {actionTexts.throttle}
        </Menu.Item>
        <Menu.Item {...balancer} onClick={() => onAsk('lb-alive')}>
          {actionTexts.alive}
        </Menu.Item>
        <Menu.Item
          {...balancer}
          title={balancerReason ?? actionTexts.byItselfAbout}
          onClick={() => onRun('lb-auto')}
        >
          {actionTexts.byItself}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          color="danger"
          leftSection={<IconPower size={16} />}
          disabled={shutDownReason !== undefined}
          title={shutDownReason}
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
