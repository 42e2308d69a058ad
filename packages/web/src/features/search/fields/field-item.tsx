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

/** Of compared periods, so that a value that was rare before is known. */
const COMPARED_VALUES = 100;
/** The API gives no more. */
const MAX_VALUES = 1000;

interface FieldItemProps {
  readonly name: string;
  readonly type: string | undefined;
  readonly isOpen: boolean;
  readonly search: SearchState;
  readonly onToggle: () => void;
  /** So many values are shown. */
  readonly size: number;
  /** Somebody wants to see more of them. */
  readonly onMore: () => void;
}

/** One field, with its most frequent values when it is open. */
export function FieldItem({ name, type, isOpen, search, onToggle, size, onMore }: FieldItemProps) {
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
      {isOpen && <OpenFacet search={search} field={name} size={size} onMore={onMore} />}
    </>
  );
}

interface OpenFacetProps extends Pick<FieldItemProps, 'search' | 'size' | 'onMore'> {
  readonly field: string;
}

function OpenFacet({ search, field, size, onMore }: OpenFacetProps) {
  'use memo';
  const { run, values } = search;
  const isCompared = values.cmp === 'prev';
  const included = includedValues(values.q, field);
  const { data, error, refetch, isPlaceholderData } = useQuery(
    facetQuery(run, field, isCompared ? Math.max(size, COMPARED_VALUES) : size),
  );
  const before = useQuery({
    ...facetQuery(run && runBefore(run), field, Math.max(size, COMPARED_VALUES)),
    enabled: isCompared && run !== undefined,
  });
  const rare = useRareValues(search, field, included, data);
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <div className={classes.space} />;
  if (data === null || data.values.length === 0) return <p className={classes.hint}>{texts.noValues}</p>;
  return (
    <div className={classes.facet} data-stale={isPlaceholderData}>
      <FacetValues
        facet={data}
        size={size}
        before={isCompared ? (before.data ?? undefined) : undefined}
        rare={rare}
        field={field}
        included={included}
        search={search}
      />
      <Incomplete answer={data} />
      {included.length > 0 && <p className={classes.hint}>{texts.alsoLeftOut}</p>}
      <OtherValues
        count={data.distinct - size - rare.length}
        field={field}
        onMore={size < MAX_VALUES ? onMore : undefined}
      />
    </div>
  );
}

/** The chosen values that are not among the most frequent ones: the query as it is finds them alone. */
function useRareValues(
  { run }: SearchState,
  field: string,
  included: readonly string[],
  facet: Facet | null | undefined,
): Facet['values'] {
  const missing = included.filter((chosen) => !facet?.values.some(({ value }) => value === chosen));
  const { data, isPlaceholderData } = useQuery({
    ...facetQuery(run, field, COMPARED_VALUES, { isNarrowed: true }),
    enabled: run !== undefined && facet !== undefined && missing.length > 0,
  });
  return isPlaceholderData ? [] : (data?.values ?? []).filter(({ value }) => missing.includes(value));
}

interface OtherValuesProps {
  readonly count: number;
  readonly field: string;
  readonly onMore: (() => void) | undefined;
}

function OtherValues({ count, field, onMore }: OtherValuesProps) {
  if (count <= 0) return null;
  if (onMore === undefined) return <p className={classes.hint}>{texts.tooManyValues(count, field)}</p>;
  return (
    <button type="button" className={classes.more} onClick={onMore}>
      {texts.otherValues(count)}
    </button>
  );
}

interface FacetValuesProps {
  readonly facet: Facet;
  /** So many are shown. */
  readonly size: number;
  readonly before: Facet | undefined;
  /** Those that the query names and the facet does not have. */
  readonly rare: Facet['values'];
  readonly field: string;
  /** Those that the query names. */
  readonly included: readonly string[];
  readonly search: SearchState;
}

function FacetValues({ facet, size, before, rare, field, included, search }: FacetValuesProps) {
  'use memo';
  const titleOf = useEntityTitles(
    field,
    [facet.values, before?.values ?? [], rare].flatMap((part) => part.map(({ value }) => value)),
  );
  const labelled = (value: string) => {
    const label = field === 'level' ? levelName(value) : titleOf(field, value);
    return label === undefined ? {} : { label };
  };
  const frequent =
    before === undefined
      ? facet.values.slice(0, size)
      : changesOf(facet, before, size).map(({ value, count, before: was }) => ({
          value,
          count,
          note: was === undefined ? '?' : formatChange(count, was),
        }));
  const shown = [...frequent, ...rare].map((each) => ({ ...each, ...labelled(each.value) }));
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
