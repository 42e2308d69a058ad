import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FindBox } from '../../components/find-box.tsx';
import { hasWords } from '../../lib/format/index.ts';
import { settingsQuery } from './queries.ts';
import { settingInWords } from './setting-units.ts';
import classes from './system.module.css';
import { texts as common, settingTexts as texts } from './texts.ts';

interface Setting {
  readonly name: string;
  readonly value: string;
  /** With a unit, where the number has one. */
  readonly inWords: string | undefined;
}

/** The configuration in force. */
export function SettingsPart() {
  const { data, error, refetch } = useQuery(settingsQuery);
  const [find, setFind] = useState('');
  const settings = Object.entries(data ?? {}).map(([name, value]) => ({
    name,
    value: value === null ? '' : Array.isArray(value) ? value.join(', ') : String(value),
    inWords: typeof value === 'number' ? settingInWords(name, value) : undefined,
  }));
  const shown = settings.filter(({ name, value }) => hasWords([name, value], find));
  return (
    <>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      <FindBox
        label={texts.find}
        hint={texts.findHint}
        group={common.parts.settings}
        find={find}
        onFind={setFind}
      />
      {shown.length > 0 && (
        <DataTable label={common.parts.settings} columns={COLUMNS} rows={shown} rowKey={({ name }) => name} />
      )}
      {data !== undefined && shown.length === 0 && <EmptyState title={texts.none(find)} />}
    </>
  );
}

const COLUMNS: readonly Column<Setting>[] = [
  { key: 'name', title: texts.setting, render: ({ name }) => <span className={classes.code}>{name}</span> },
  {
    key: 'value',
    title: texts.value,
    render: ({ value, inWords }) =>
      value === '' ? (
        <span className={classes.quiet}>{texts.notSet}</span>
      ) : (
        <>
          <span className={classes.code}>{value}</span>
          {inWords !== undefined && <span className={classes.quiet}> {inWords}</span>}
        </>
      ),
  },
];
