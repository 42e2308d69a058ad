import { TextInput } from '@mantine/core';
import { IconChevronRight, IconSearch } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { levelName } from '../../components/level-label.tsx';
import { ValueBars } from '../../components/value-bars.tsx';
import { facetQuery, fieldsQuery, messagesQuery } from './queries.ts';
import classes from './search.module.css';
import { sidebarFields } from './sidebar-fields.ts';
import { texts } from './texts.ts';
import { useEntityTitles } from './use-entity-titles.ts';
import type { SearchState } from './use-search.ts';

/** Names that are drawn; the others are found by typing. */
const MAX_SHOWN = 200;

/** The fields of the messages, each with its most frequent values. */
export function FieldSidebar({ search }: { readonly search: SearchState }) {
  const { data: known, error, refetch } = useQuery(fieldsQuery);
  const { data } = useInfiniteQuery(messagesQuery(search.run));
  const [find, setFind] = useState('');
  const [open, setOpen] = useState<readonly string[]>(['level', 'source']);
  const names = useMemo(
    () =>
      sidebarFields(
        (known ?? []).map(({ name }) => name),
        (data?.pages ?? []).flatMap(({ fields }) => fields),
        find,
      ),
    [known, data, find],
  );
  const toggle = (name: string) =>
    setOpen(open.includes(name) ? open.filter((other) => other !== name) : [...open, name]);
  return (
    <aside className={classes.sidebar} aria-label={texts.fields}>
      <TextInput
        className={classes.findField}
        size="xs"
        aria-label={texts.findField}
        placeholder={texts.findField}
        leftSection={<IconSearch size={14} />}
        value={find}
        onChange={(event) => setFind(event.currentTarget.value)}
      />
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      <ul className={classes.fieldList}>
        {names.slice(0, MAX_SHOWN).map((name) => (
          <li key={name}>
            <button
              type="button"
              className={classes.fieldName}
              aria-expanded={open.includes(name)}
              onClick={() => toggle(name)}
            >
              <IconChevronRight size={14} aria-hidden="true" />
              <bdi title={name}>{name}</bdi>
            </button>
            {open.includes(name) && <Facet search={search} field={name} />}
          </li>
        ))}
      </ul>
      {names.length > MAX_SHOWN && (
        <p className={classes.hint}>{texts.moreFields(names.length - MAX_SHOWN)}</p>
      )}
      {names.length === 0 && find !== '' && <p className={classes.hint}>{texts.noField}</p>}
    </aside>
  );
}

function Facet({ search, field }: { readonly search: SearchState; readonly field: string }) {
  const { run, actions } = search;
  const titleOf = useEntityTitles();
  const { data, error, refetch, isPlaceholderData } = useQuery(facetQuery(run, field));
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <div className={classes.facetSpace} />;
  if (data.values.length === 0) return <p className={classes.hint}>{texts.noValues}</p>;
  return (
    <div className={classes.facet} data-stale={isPlaceholderData}>
      <ValueBars
        values={data.values.map(({ value, count }) => {
          const label = field === 'level' ? levelName(value) : titleOf(field, value);
          return { value, count, ...(label === undefined ? {} : { label }) };
        })}
        total={data.present}
        onChoose={(value) => actions.include(field, value)}
        onExclude={(value) => actions.exclude(field, value)}
      />
      {data.distinct > data.values.length && (
        <p className={classes.hint}>{texts.otherValues(data.distinct - data.values.length)}</p>
      )}
    </div>
  );
}
