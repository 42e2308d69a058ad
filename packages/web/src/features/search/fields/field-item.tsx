import { IconChevronRight, IconColumnInsertRight, IconColumnRemove } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { IconTool } from '../../../components/icon-tool.tsx';
import { levelName } from '../../../components/level-label.tsx';
import { withColumn, withoutColumn } from '../../../components/log-list/columns.ts';
import { ValueBars } from '../../../components/value-bars.tsx';
import { dropValue, includedValues } from '../../../lib/edit-query/index.ts';
import { StatisticsButton } from '../detail/field-statistics.tsx';
import { formatChange } from '../histogram/groups.ts';
import { runBefore } from '../histogram/queries.ts';
import { Incomplete } from '../incomplete.tsx';
import { texts } from '../texts.ts';
import { useEntityTitles } from '../use-entity-titles.ts';
import type { SearchState } from '../use-search.ts';
import { changesOf } from './changes.ts';
import { typeSign } from './field-names.ts';
import classes from './fields.module.css';
import type { Facet } from './queries.ts';
import { facetQuery } from './queries.ts';

const SHOWN_VALUES = 10;
/** Compared periods need more values, so that one that was rare before is known. */
const COMPARED_VALUES = 100;

interface FieldItemProps {
  readonly name: string;
  readonly type: string | undefined;
  readonly isOpen: boolean;
  readonly search: SearchState;
  readonly onToggle: () => void;
}

/** One field, with its most frequent values when it is open. */
export function FieldItem({ name, type, isOpen, search, onToggle }: FieldItemProps) {
  'use memo';
  const { values, change } = search;
  const sign = typeSign(type);
  const isColumn = values.cols.some(({ field }) => field === name);
  const columnLabel = isColumn ? `Hide the column ${name}` : `Show ${name} as a column`;
  return (
    <>
      <div className={classes.head}>
        <button type="button" className={classes.name} aria-expanded={isOpen} onClick={onToggle}>
          <IconChevronRight size={14} aria-hidden="true" />
          <bdi title={name}>{name}</bdi>
          {sign !== undefined && (
            <span className={classes.sign} data-badge={sign.sign.length > 1} title={sign.title}>
              {sign.sign}
            </span>
          )}
        </button>
        <span className={classes.tools}>
          <IconTool
            className={classes.column}
            label={columnLabel}
            onClick={() =>
              change(({ cols }) => ({ cols: isColumn ? withoutColumn(cols, name) : withColumn(cols, name) }))
            }
          >
            {isColumn ? <IconColumnRemove size={14} /> : <IconColumnInsertRight size={14} />}
          </IconTool>
          <StatisticsButton field={name} search={search} />
        </span>
      </div>
      {isOpen && <OpenFacet search={search} field={name} />}
    </>
  );
}

function OpenFacet({ search, field }: { readonly search: SearchState; readonly field: string }) {
  'use memo';
  const { run, values } = search;
  const isCompared = values.cmp === 'prev';
  const included = includedValues(values.q, field);
  const size = isCompared ? COMPARED_VALUES : SHOWN_VALUES;
  const { data, error, refetch, isPlaceholderData } = useQuery(facetQuery(run, field, size));
  const before = useQuery({
    ...facetQuery(run && runBefore(run), field, COMPARED_VALUES),
    enabled: isCompared && run !== undefined,
  });
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <div className={classes.space} />;
  if (data === null || data.values.length === 0) return <p className={classes.hint}>{texts.noValues}</p>;
  return (
    <div className={classes.facet} data-stale={isPlaceholderData}>
      <FacetValues
        facet={data}
        before={isCompared ? (before.data ?? undefined) : undefined}
        field={field}
        included={included}
        search={search}
      />
      <Incomplete answer={data} />
      {included.length > 0 && <p className={classes.hint}>{texts.alsoLeftOut}</p>}
      {data.distinct > SHOWN_VALUES && (
        <p className={classes.hint}>{texts.otherValues(data.distinct - SHOWN_VALUES)}</p>
      )}
    </div>
  );
}

interface FacetValuesProps {
  readonly facet: Facet;
  readonly before: Facet | undefined;
  readonly field: string;
  /** Those that the query names. */
  readonly included: readonly string[];
  readonly search: SearchState;
}

function FacetValues({ facet, before, field, included, search }: FacetValuesProps) {
  'use memo';
  const titleOf = useEntityTitles(
    field,
    [facet, before].flatMap((part) => part?.values.map(({ value }) => value) ?? []),
  );
  const labelled = (value: string) => {
    const label = field === 'level' ? levelName(value) : titleOf(field, value);
    return label === undefined ? {} : { label };
  };
  const shown =
    before === undefined
      ? facet.values.slice(0, SHOWN_VALUES).map(({ value, count }) => ({ value, count, ...labelled(value) }))
      : changesOf(facet, before, SHOWN_VALUES).map(({ value, count, before: was }) => ({
          value,
          count,
          ...labelled(value),
          note: was === undefined ? '?' : formatChange(count, was),
        }));
  const choose = (value: string) => {
    if (!included.includes(value)) return search.actions.include(field, value);
    search.commit(({ q }) => ({ q: dropValue(q, field, value) }), `drop ${value}`);
  };
  return (
    <ValueBars
      values={shown}
      total={facet.present}
      chosen={included}
      onChoose={choose}
      onExclude={(value) => search.actions.exclude(field, value)}
    />
  );
}
