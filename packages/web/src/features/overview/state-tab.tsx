import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { Rate } from '../../components/rate.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { useCan } from '../../lib/account/index.ts';
import { formatBytes, formatCount, formatShare } from '../../lib/format/index.ts';
import { type ListedNode, nodeFiguresQuery, registeredNodesQuery, roomMs } from '../../lib/nodes/index.ts';
import { formatDuration } from '../../lib/time/index.ts';
import classes from './overview.module.css';
import { journalQuery, memoryQuery, messageBytesQuery } from './queries.ts';
import { nodeTexts as texts } from './texts.ts';

/** Throughput, journal and memory of a node, and what it is. */
export function StateTab({ node }: { readonly node: ListedNode }) {
  const mayReadJournal = useCan('journal:read', node.id);
  const mayReadMemory = useCan('jvmstats:read', node.id);
  const { data: all } = useQuery(nodeFiguresQuery);
  const figures = all?.get(node.id);
  return (
    <div className={classes.groups}>
      <Group title={texts.throughput}>
        {figures !== undefined && (
          <>
            <Fact name={texts.received}>
              <Rate perSecond={figures.receivedPerSecond} />
            </Fact>
            <Fact name={texts.stored}>
              <Rate perSecond={figures.storedPerSecond} />
            </Fact>
            <Fact name={texts.waiting}>{formatCount(figures.waiting)}</Fact>
          </>
        )}
      </Group>
      {mayReadJournal && <Journal node={node} />}
      {mayReadMemory && <Memory node={node} rss={figures?.memory} />}
      <About node={node} />
    </div>
  );
}

function Journal({ node }: { readonly node: ListedNode }) {
  const { data: journal } = useQuery(journalQuery(node.id));
  const { data: all } = useQuery(nodeFiguresQuery);
  const { data: bytes } = useQuery(messageBytesQuery(node.id));
  const figures = all?.get(node.id);
  const room = figures && roomMs(figures, bytes);
  return (
    <Group title={texts.journal}>
      {journal?.enabled === false && <InlineNotice kind="warn">{texts.journalOff}</InlineNotice>}
      {journal?.enabled && (
        <>
          {figures !== undefined && <Fact name={texts.fill}>{formatShare(figures.journalShare)}</Fact>}
          {room !== undefined && <Fact name={texts.room}>{texts.roomFor(formatDuration(room))}</Fact>}
          <Fact name={texts.onDisk}>
            {texts.ofLimit(formatBytes(journal.journal_size), formatBytes(journal.journal_size_limit))}
          </Fact>
          <Fact name={texts.segments}>{formatCount(journal.number_of_segments)}</Fact>
          {journal.oldest_segment !== null && (
            <Fact name={texts.oldest}>
              <Timestamp value={journal.oldest_segment} show="age" />
            </Fact>
          )}
          {journal.journal_config !== null && (
            <Fact name={texts.folder}>
              <code>{journal.journal_config.directory}</code>
            </Fact>
          )}
        </>
      )}
    </Group>
  );
}

function Memory({ node, rss }: { readonly node: ListedNode; readonly rss: number | undefined }) {
  const { data: memory } = useQuery(memoryQuery(node.id));
  return (
    <Group title={texts.memory}>
      {rss !== undefined && <Fact name={texts.whole}>{formatBytes(rss)}</Fact>}
      {memory !== undefined && (
        <>
          <Fact name={texts.heap}>
            {texts.heapOf(formatBytes(memory.used_memory.bytes), formatBytes(memory.max_memory.bytes))}
          </Fact>
          <Fact name={texts.process}>{memory.pid}</Fact>
          <Fact name={texts.runtime}>{memory.info}</Fact>
        </>
      )}
    </Group>
  );
}

function About({ node: { id, overview } }: { readonly node: ListedNode }) {
  const { data: registered } = useQuery(registeredNodesQuery);
  const address = registered?.find(({ node_id }) => node_id === id)?.transport_address;
  if (overview === undefined) return null;
  return (
    <Group title={texts.about}>
      <Fact name={texts.host}>{overview.hostname}</Fact>
      <Fact name={texts.id}>
        <code>{id}</code>
      </Fact>
      <Fact name={texts.version}>{overview.version}</Fact>
      <Fact name={texts.started}>
        <Timestamp value={overview.started_at} />
      </Fact>
      {address !== undefined && (
        <Fact name={texts.address}>
          <code>{address}</code>
        </Fact>
      )}
      <Fact name={texts.system}>{overview.operating_system}</Fact>
      <Fact name={texts.zone}>{overview.timezone}</Fact>
    </Group>
  );
}

function Group({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const titleId = useId();
  return (
    <section className={classes.section} aria-labelledby={titleId}>
      <h2 id={titleId}>{title}</h2>
      <dl className={classes.group}>{children}</dl>
    </section>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
