import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { DataTable } from '../../components/data-table.tsx';
import { Rate } from '../../components/rate.tsx';
import { Sparkline } from '../../components/sparkline.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { formatBytes, formatCount } from '../../lib/format/index.ts';
import { useFigures } from './figures.ts';
import { combinedState } from './input-state.ts';
import classes from './inputs.module.css';
import type { ListedInput } from './listed-inputs.ts';
import { storedQuery } from './queries.ts';
import { inputSearch } from './search-links.ts';
import { tabTexts, texts } from './texts.ts';

const HISTORY_WIDTH = 720;
const HISTORY_HEIGHT = 64;

/** What it receives now, on each node, and what was stored of it. */
export function RatesTab({ input: { id, type }, combined }: ListedInput) {
  const inputs = useMemo(() => [{ id, type }], [id, type]);
  const figures = useFigures(inputs).get(id);
  const number = { align: 'end' } as const;
  return (
    <>
      <DataTable
        label={tabTexts.rates}
        rows={combined.nodes}
        rowKey={({ nodeId }) => nodeId}
        columns={[
          {
            key: 'state',
            title: texts.columns.state,
            width: '112px',
            render: (node) => {
              const { tone, word } = combinedState([node]);
              return <StateBadge tone={tone}>{word}</StateBadge>;
            },
          },
          {
            key: 'node',
            title: tabTexts.node,
            render: ({ nodeId }) => <span className={`mono ${classes.node}`}>{nodeId.slice(0, 8)}</span>,
          },
          {
            key: 'since',
            title: tabTexts.since,
            isMinor: true,
            render: ({ started_at }) => <Timestamp value={started_at} />,
          },
          {
            ...number,
            key: 'rate',
            title: texts.columns.rate,
            render: ({ nodeId }) => <Rate perSecond={figures?.get(nodeId)?.perSecond ?? 0} />,
          },
          {
            ...number,
            key: 'bytes',
            title: texts.columns.bytes,
            render: ({ nodeId }) => `${formatBytes(figures?.get(nodeId)?.bytesPerSecond ?? 0)}/s`,
          },
          {
            ...number,
            key: 'received',
            title: tabTexts.received,
            render: ({ nodeId }) => formatCount(figures?.get(nodeId)?.received ?? 0),
          },
          {
            ...number,
            key: 'connections',
            title: texts.columns.connections,
            isMinor: true,
            render: ({ nodeId }) => formatCount(figures?.get(nodeId)?.openConnections ?? 0),
          },
          {
            ...number,
            key: 'opened',
            title: tabTexts.opened,
            isMinor: true,
            render: ({ nodeId }) => formatCount(figures?.get(nodeId)?.connections ?? 0),
          },
        ]}
      />
      <StoredHistory inputId={id} />
    </>
  );
}

function StoredHistory({ inputId }: { readonly inputId: string }) {
  const { data } = useQuery(storedQuery(inputId));
  const counts = data?.groups[0]?.counts ?? [];
  return (
    <section className={classes.section} aria-label={tabTexts.storedLastHour}>
      <h2>{tabTexts.storedLastHour}</h2>
      <div className={classes.history}>
        <Sparkline
          values={counts}
          label={tabTexts.storedLastHour}
          width={HISTORY_WIDTH}
          height={HISTORY_HEIGHT}
        />
      </div>
      <div className={classes.line}>
        <span className={classes.quiet}>{data !== undefined && tabTexts.storedAbout(data.total)}</span>
        <Button renderRoot={(props) => <Link {...inputSearch(inputId)} {...props} />}>
          {texts.searchIt}
        </Button>
      </div>
    </section>
  );
}
