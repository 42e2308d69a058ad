import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Sparkline } from '../../components/sparkline.tsx';
import { useCan } from '../../lib/account/index.ts';
import { formatBytes, formatCount, formatRate, formatShort } from '../../lib/format/index.ts';
import { drainMs, type NodeFigures, sumOf } from '../../lib/nodes/index.ts';
import classes from './overview.module.css';
import { messageCountQuery, openAlertsQuery, storageSizeQuery, trafficQuery } from './queries.ts';
import { texts } from './texts.ts';

/** How the whole cluster does, in five numbers. */
export function ClusterFigures({ nodes }: { readonly nodes: ReadonlyMap<string, NodeFigures> | undefined }) {
  const figures = [...(nodes?.values() ?? [])];
  const { data: traffic } = useQuery(trafficQuery);
  const { data: alerts } = useQuery(openAlertsQuery);
  const fullest = Math.max(0, ...figures.map(({ journalShare }) => journalShare));
  const isKnown = figures.length > 0;
  const waiting = sumOf(figures, 'waiting');
  const drain = drainMs({ waiting, storedPerSecond: sumOf(figures, 'storedPerSecond') });
  return (
    <dl className={classes.figures} aria-label={texts.figures}>
      <Figure label={texts.received} value={isKnown && formatRate(sumOf(figures, 'receivedPerSecond'))}>
        {traffic === undefined ? texts.allNodes : <Sparkline values={traffic} label={texts.traffic} />}
      </Figure>
      <Figure label={texts.stored} value={isKnown && formatRate(sumOf(figures, 'storedPerSecond'))}>
        {texts.allNodes}
      </Figure>
      <Figure label={texts.waiting} value={isKnown && texts.waitingFor(drain)}>
        {isKnown && texts.waitingAbout(waiting, fullest)}
      </Figure>
      <Figure label={texts.openAlerts} value={alerts !== undefined && formatCount(alerts)}>
        {texts.alertsAbout}
      </Figure>
      <MessagesKept />
    </dl>
  );
}

function MessagesKept() {
  const mayCount = useCan('messagecount:read');
  const maySize = useCan('indexsets:read');
  const { data: count } = useQuery({ ...messageCountQuery, enabled: mayCount });
  const { data: size } = useQuery({ ...storageSizeQuery, enabled: maySize });
  if (!mayCount) return null;
  return (
    <Figure label={texts.messages} value={count !== undefined && formatShort(count)}>
      {size !== undefined && texts.size(formatBytes(size.size), size.indices)}
    </Figure>
  );
}

interface FigureProps {
  readonly label: string;
  /** False while it is not known. */
  readonly value: string | false;
  readonly children: ReactNode;
}

function Figure({ label, value, children }: FigureProps) {
  return (
    <div className={classes.figure}>
      <dt>{label}</dt>
      <dd>
        <span className={classes.number}>{value === false ? '–' : value}</span>
        <span className={classes.small}>{children}</span>
      </dd>
    </div>
  );
}
