import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { Page, PageHeader } from '../../components/page-header.tsx';
import { PartTabs, useTab } from '../../components/part-tabs.tsx';
import { mayReachAny, usePermissions } from '../../lib/account/index.ts';
import {
  clusterQuery,
  isOnlyOne,
  type ListedNode,
  listedNodes,
  nodeFiguresQuery,
  registeredNodesQuery,
} from '../../lib/nodes/index.ts';
import { LevelsTab } from './levels-tab.tsx';
import { LogTab } from './log-tab.tsx';
import { NodeActions, NodeQuestion } from './node-actions.tsx';
import { Balancer, Lifecycle } from './node-table.tsx';
import classes from './overview.module.css';
import type { NodeAction } from './queries.ts';
import { StateTab } from './state-tab.tsx';
import { nodeTexts, texts } from './texts.ts';
import { ThreadsTab } from './threads-tab.tsx';

const TABS = [
  { value: 'state', label: nodeTexts.state, Content: StateTab },
  { value: 'levels', label: nodeTexts.levels, Content: LevelsTab },
  { value: 'log', label: nodeTexts.log, Content: LogTab },
  { value: 'threads', label: nodeTexts.threads, Content: ThreadsTab },
] as const;

/** One node: `?tab=` chooses what of it. */
export function NodePage() {
  if (mayReachAny(usePermissions(), 'system:read')) return <KnownNode />;
  return (
    <Page>
      <InlineNotice kind="info">{texts.noNodeWhy}</InlineNotice>
    </Page>
  );
}

function KnownNode() {
  const { id = '' } = useParams({ strict: false });
  const { data: cluster, error, refetch } = useQuery(clusterQuery);
  const { data: registered } = useQuery(registeredNodesQuery);
  const failed = error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (cluster === undefined) return <Page>{failed}</Page>;
  const nodes = listedNodes(cluster, registered ?? []);
  const node = nodes.find((known) => known.id === id);
  if (node !== undefined)
    return <OneNode key={id} node={node} isOnlyNode={isOnlyOne(nodes)} failed={failed} />;
  return (
    <Page>
      <EmptyState
        isPage
        title={nodeTexts.notFound}
        action={
          <Button renderRoot={(props) => <Link to="/overview" {...props} />}>{nodeTexts.toOverview}</Button>
        }
      >
        {nodeTexts.notFoundWhy}
      </EmptyState>
    </Page>
  );
}

interface OneNodeProps {
  readonly node: ListedNode;
  readonly isOnlyNode: boolean;
  /** Why what is shown may be old. */
  readonly failed: ReactNode;
}

function OneNode({ node, isOnlyNode, failed }: OneNodeProps) {
  const { data: figures } = useQuery(nodeFiguresQuery);
  const [asked, setAsked] = useState<NodeAction>();
  const name = node.hostname === '' ? node.shortId : node.hostname;
  return (
    <Page>
      <PageHeader
        title={name}
        about={
          <span className={classes.about}>
            <Lifecycle node={node} />
            <Balancer node={node} />
            {node.isLeader && <span className={classes.leader}>{texts.leader}</span>}
          </span>
        }
        actions={<NodeActions node={node} onAsk={setAsked} />}
      />
      {failed}
      {asked !== undefined && (
        <NodeQuestion
          node={node}
          action={asked}
          figures={figures?.get(node.id)}
          isOnlyNode={isOnlyNode}
          onDone={() => setAsked(undefined)}
        />
      )}
      {node.overview === undefined ? (
        <InlineNotice kind="danger" title={nodeTexts.noAnswer}>
          {nodeTexts.noAnswerWhy}
        </InlineNotice>
      ) : (
        <NodeTabs node={node} />
      )}
    </Page>
  );
}

function NodeTabs({ node }: { readonly node: ListedNode }) {
  const [tab, open] = useTab(TABS);
  return <PartTabs tabs={TABS} tab={tab} onTab={open} about={{ node }} />;
}
