import { Button } from '@mantine/core';
import { IconApi, IconServer } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { Page, PageHeader } from '../../components/page-header.tsx';
import { PartBoundary } from '../../components/part-boundary.tsx';
import { mayReachAny, usePermissions } from '../../lib/account/index.ts';
import { clusterQuery, listedNodes, nodeFiguresQuery, registeredNodesQuery } from '../../lib/nodes/index.ts';
import { Attention } from './attention.tsx';
import { ClusterFigures } from './cluster-figures.tsx';
import { NodeTable } from './node-table.tsx';
import classes from './overview.module.css';
import { texts } from './texts.ts';

export function OverviewPage() {
  const mayRead = mayReachAny(usePermissions(), 'system:read');
  return (
    <Page>
      <PageHeader title={texts.title} about={texts.about} actions={<ApiBrowserLink />} />
      {mayRead ? <Cluster /> : <InlineNotice kind="info">{texts.noNodeWhy}</InlineNotice>}
    </Page>
  );
}

export function ApiBrowserLink() {
  return (
    <Button component="a" href="/api/api-browser/" leftSection={<IconApi size={16} />}>
      {texts.apiBrowser}
    </Button>
  );
}

function Cluster() {
  const { data: cluster, error, refetch } = useQuery(clusterQuery);
  const { data: registered } = useQuery(registeredNodesQuery);
  const { data: figures } = useQuery(nodeFiguresQuery);
  const nodes = useMemo(() => listedNodes(cluster ?? {}, registered ?? []), [cluster, registered]);
  return (
    <>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      <PartBoundary>
        <ClusterFigures nodes={figures} />
      </PartBoundary>
      {cluster !== undefined && (
        <>
          <PartBoundary>
            <Attention nodes={nodes} />
          </PartBoundary>
          <section className={classes.section} aria-label={texts.nodes}>
            <h2>{texts.nodes}</h2>
            {nodes.length > 0 ? (
              <NodeTable nodes={nodes} figures={figures} />
            ) : (
              <EmptyState icon={<IconServer size={20} />} title={texts.noNode}>
                {texts.noNodeWhy}
              </EmptyState>
            )}
          </section>
        </>
      )}
    </>
  );
}
