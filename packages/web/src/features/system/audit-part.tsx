import { ActionIcon, Button, Select, TextInput, Tooltip } from '@mantine/core';
import type { AuditEntryView } from '@millrace/contract';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Fragment, useState } from 'react';
import { CodeSnippet } from '../../components/code-snippet.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FindBox } from '../../components/find-box.tsx';
import { Pages } from '../../components/pages.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { useTyped } from '../../components/use-typed.ts';
import { useNow } from '../../lib/time/index.ts';
import type { SearchParams } from '../../lib/url/index.ts';
import { type AuditValues, auditParams, auditRequest, NO_FILTER, OUTCOMES, SINCE } from './audit-params.ts';
import { AUDIT_PER_PAGE, auditQuery } from './queries.ts';
import classes from './system.module.css';
import { texts as common, auditTexts as texts } from './texts.ts';

const EVERY_MINUTE_MS = 60_000;

export function AuditPart() {
  const search = useSearch({ strict: false }) as SearchParams;
  const { values } = auditParams.read(search);
  const navigate = useNavigate();
  const now = useNow(EVERY_MINUTE_MS);
  const { data, error, refetch, isPlaceholderData, isFetching } = useQuery(
    auditQuery(auditRequest(values, now)),
  );
  const change = (next: Partial<AuditValues>) =>
    void navigate({
      to: '/system/$part',
      params: { part: 'audit' },
      search: auditParams.update({ page: 1, ...next }),
      replace: true,
    });
  const isFiltered = Object.keys(auditRequest(values, now)).length > 1;
  return (
    <>
      <Filters values={values} onChange={change} />
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data !== undefined && data.entries.length > 0 && <Entries entries={data.entries} />}
      {data?.total === 0 && !isPlaceholderData && (
        <EmptyState
          title={isFiltered ? texts.none : texts.empty}
          {...(isFiltered && {
            action: <Button onClick={() => change(NO_FILTER)}>{common.showAll}</Button>,
            children: texts.noneWhy,
          })}
        />
      )}
      {data !== undefined && (
        <Pages
          page={values.page}
          perPage={AUDIT_PER_PAGE}
          total={data.total}
          one="entry"
          many="entries"
          isOld={isPlaceholderData || isFetching}
          onPage={(page) => change({ page })}
        />
      )}
    </>
  );
}

interface FiltersProps {
  readonly values: AuditValues;
  readonly onChange: (values: Partial<AuditValues>) => void;
}

function Filters({ values, onChange }: FiltersProps) {
  return (
    <>
      <FindBox
        label={texts.find}
        hint={texts.findHint}
        group={common.parts.audit}
        find={values.find}
        onFind={(find) => onChange({ find })}
      />
      <div className={classes.filters}>
        <ExactBox
          label={texts.actor}
          hint={texts.actorHint}
          value={values.actor}
          onChange={(actor) => onChange({ actor })}
        />
        <ExactBox
          label={texts.action}
          hint={texts.actionHint}
          value={values.action}
          onChange={(action) => onChange({ action })}
        />
        <Select
          label={texts.outcome}
          data={OUTCOMES.map((value) => ({
            value,
            label: value === 'any' ? texts.anyOutcome : texts[value],
          }))}
          value={values.outcome}
          allowDeselect={false}
          onChange={(chosen) => onChange({ outcome: OUTCOMES.find((known) => known === chosen) ?? 'any' })}
        />
        <Select
          label={texts.since}
          data={SINCE.map((value) => ({ value, label: texts.sinceChoices[value] }))}
          value={values.since}
          allowDeselect={false}
          onChange={(chosen) => onChange({ since: SINCE.find((known) => known === chosen) ?? 'all' })}
        />
      </div>
    </>
  );
}

const ASK_AFTER_MS = 300;

interface ExactBoxProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Asks a moment after the last letter. */
function ExactBox({ label, hint, value, onChange }: ExactBoxProps) {
  const { draft, type, flush } = useTyped(value, onChange, ASK_AFTER_MS);
  return (
    <TextInput
      label={label}
      placeholder={hint}
      value={draft}
      onBlur={flush}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}

function Entries({ entries }: { readonly entries: readonly AuditEntryView[] }) {
  const [openId, setOpenId] = useState<string>();
  return (
    <DataTable
      label={common.parts.audit}
      columns={columnsOf(openId, setOpenId)}
      rows={entries}
      rowKey={({ id }) => id}
      onOpen={({ id }) => setOpenId(id === openId ? undefined : id)}
      below={(entry) => entry.id === openId && <Details entry={entry} />}
    />
  );
}

function columnsOf(
  openId: string | undefined,
  onOpen: (id: string | undefined) => void,
): readonly Column<AuditEntryView>[] {
  return [
    {
      key: 'time',
      title: common.time,
      width: '184px',
      render: ({ timestamp }) => <Timestamp value={timestamp} />,
    },
    { key: 'actor', title: texts.actor, render: ({ actor }) => <bdi className={classes.actor}>{actor}</bdi> },
    {
      key: 'action',
      title: texts.action,
      render: ({ action, outcome }) => (
        <>
          <span className={classes.action}>
            <Parted text={action} />
          </span>
          {/* On a phone, where there is no room for the column: what failed must not look like the rest. */}
          {outcome !== 'success' && (
            <div className={classes.phoneOnly}>
              <Outcome outcome={outcome} />
            </div>
          )}
        </>
      ),
    },
    {
      key: 'object',
      title: texts.object,
      isMinor: true,
      render: ({ object_type, object_id }) => (
        <>
          {object_type} <span className={classes.code}>{object_id}</span>
        </>
      ),
    },
    { key: 'address', title: texts.address, isMinor: true, render: ({ address }) => address },
    {
      key: 'outcome',
      title: texts.outcome,
      width: '96px',
      isMinor: true,
      render: ({ outcome }) => <Outcome outcome={outcome} />,
    },
    {
      key: 'details',
      title: texts.details,
      width: '44px',
      isActions: true,
      render: ({ id }) => (
        <Tooltip label={texts.details}>
          <ActionIcon
            aria-label={texts.details}
            aria-expanded={id === openId}
            onClick={() => onOpen(id === openId ? undefined : id)}
          >
            {id === openId ? <IconChevronUp size={16} /> : <IconChevronDown size={16} />}
          </ActionIcon>
        </Tooltip>
      ),
    },
  ];
}

function Outcome({ outcome }: Pick<AuditEntryView, 'outcome'>) {
  return <StateBadge tone={outcome === 'success' ? 'ok' : 'danger'}>{texts[outcome]}</StateBadge>;
}

/** May break after each part of a name: `pipeline_rule.create`. */
function Parted({ text }: { readonly text: string }) {
  return text.split(/(?<=[._])/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text do not move
    <Fragment key={at}>
      {part}
      <wbr />
    </Fragment>
  ));
}

/** The object before and after. */
function Details({ entry }: { readonly entry: AuditEntryView }) {
  const sides = [
    { title: texts.before, value: entry.before },
    { title: texts.after, value: entry.after },
  ].filter(({ value }) => value !== null && value !== undefined);
  if (sides.length === 0) return <p className={classes.quiet}>{texts.noDetails}</p>;
  return (
    <div className={classes.changes}>
      {sides.map(({ title, value }) => (
        <div key={title} className={classes.change}>
          <strong>{title}</strong>
          <CodeSnippet code={JSON.stringify(value, null, 2)} label={title} isWrapped />
        </div>
      ))}
    </div>
  );
}
