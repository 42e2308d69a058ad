import { Tooltip } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Rate } from '../../components/rate.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { formatBytes, formatShare } from '../../lib/format/index.ts';
import { isOnlyOne, type ListedNode, type NodeFigures } from '../../lib/nodes/index.ts';
import { formatDuration, useNow } from '../../lib/time/index.ts';
import { NodeActions, NodeQuestion } from './node-actions.tsx';
import { nodeBadges } from './node-state.ts';
import classes from './overview.module.css';
import type { NodeAction } from './queries.ts';
import { texts } from './texts.ts';

export interface NodeTableProps {
  readonly nodes: readonly ListedNode[];
  readonly figures: ReadonlyMap<string, NodeFigures> | undefined;
}

interface Row {
  readonly node: ListedNode;
  readonly figures: NodeFigures | undefined;
}

export function NodeTable({ nodes, figures }: NodeTableProps) {
  const navigate = useNavigate();
  const [asked, setAsked] = useState<{ readonly nodeId: string; readonly action: NodeAction }>();
  return (
    <DataTable
      label={texts.nodes}
      columns={columnsOf((nodeId, action) => setAsked({ nodeId, action }))}
      rows={nodes.map((node) => ({ node, figures: figures?.get(node.id) }))}
      rowKey={({ node }) => node.id}
      onOpen={({ node }) => void navigate({ to: '/nodes/$id', params: { id: node.id } })}
      below={(row) =>
        asked?.nodeId === row.node.id && (
          <NodeQuestion
            {...row}
            action={asked.action}
            isOnlyNode={isOnlyOne(nodes)}
            onDone={() => setAsked(undefined)}
          />
        )
      }
    />
  );
}

function columnsOf(onAsk: (nodeId: string, action: NodeAction) => void): readonly Column<Row>[] {
  const { columns } = texts;
  return [
    { key: 'node', title: columns.node, render: ({ node }) => <NodeName node={node} /> },
    { key: 'state', title: columns.state, render: ({ node }) => <Lifecycle node={node} /> },
    {
      key: 'balancer',
      title: columns.balancer,
      isMinor: true,
      render: ({ node }) => <Balancer node={node} />,
    },
    {
      key: 'received',
      title: columns.received,
      align: 'end',
      render: ({ figures }) => figures && <Rate perSecond={figures.receivedPerSecond} />,
    },
    {
      key: 'journal',
      title: columns.journal,
      align: 'end',
      isMinor: true,
      render: ({ figures }) => figures && formatShare(figures.journalShare),
    },
    {
      key: 'memory',
      title: columns.memory,
      align: 'end',
      isMinor: true,
      render: ({ figures }) => figures && formatBytes(figures.memory),
    },
    {
      key: 'up',
      title: columns.up,
      isMinor: true,
      render: ({ node: { overview } }) => overview && <UpFor since={overview.started_at} />,
    },
    {
      key: 'actions',
      title: columns.actions,
      isActions: true,
      render: ({ node }) => <NodeActions node={node} onAsk={(action) => onAsk(node.id, action)} />,
    },
  ];
}

function NodeName({ node }: { readonly node: ListedNode }) {
  return (
    <>
      <Link to="/nodes/$id" params={{ id: node.id }} className={classes.name}>
        <bdi>{node.hostname === '' ? node.shortId : node.hostname}</bdi>
      </Link>
      <span className={classes.id}>
        {node.shortId}
        {node.isLeader && (
          <Tooltip label={texts.leaderAbout}>
            <span className={classes.leader}>{texts.leader}</span>
          </Tooltip>
        )}
      </span>
    </>
  );
}

export function Lifecycle({ node: { overview, lastSeen } }: { readonly node: ListedNode }) {
  if (overview !== undefined) {
    const { tone, word } = nodeBadges(overview).lifecycle;
    return <StateBadge tone={tone}>{word}</StateBadge>;
  }
  return (
    <>
      <StateBadge tone="danger">{texts.noAnswer}</StateBadge>
      {lastSeen !== undefined && (
        <span className={classes.id}>
          {texts.lastSeen} <Timestamp value={lastSeen} show="age" />
        </span>
      )}
    </>
  );
}

export function Balancer({ node: { overview } }: { readonly node: ListedNode }) {
  if (overview === undefined) return null;
  const { tone, word } = nodeBadges(overview).balancer;
  return <StateBadge tone={tone}>{word}</StateBadge>;
}

function UpFor({ since }: { readonly since: string }) {
  const now = useNow();
  return <span title={since}>{formatDuration(Math.max(0, now - Date.parse(since)))}</span>;
}
