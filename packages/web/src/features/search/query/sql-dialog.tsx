import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CodeSnippet } from '../../../components/code-snippet.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { call } from '../../../lib/api/index.ts';
import { type Run, searchedOf } from '../run.ts';
import classes from './sql-dialog.module.css';
import { sqlLines } from './sql-lines.ts';

export interface SqlDialogProps {
  readonly run: Run;
  readonly onClose: () => void;
}

const PURPOSES: Readonly<Record<string, string>> = {
  messages: 'The messages',
  total_results: 'Their number',
};

/** What this search sends to ClickHouse. */
export function SqlDialog({ run, onClose }: SqlDialogProps) {
  const { data, error } = useQuery({
    queryKey: ['sql', run],
    queryFn: ({ signal }) =>
      call('POST /messages/search/sql', { body: { ...searchedOf(run), sort: run.sort, limit: 100 }, signal }),
  });
  return (
    <Modal
      opened
      onClose={onClose}
      closeButtonProps={{ 'aria-label': 'Close' }}
      title="SQL of this search"
      size={860}
    >
      <div className={classes.statements}>
        {error !== null && <ErrorNotice error={error} />}
        {data !== undefined && <p>{data.query}</p>}
        {data?.statements.map(({ purpose, sql, parameters }) => (
          <section key={purpose}>
            <h2>{PURPOSES[purpose] ?? purpose}</h2>
            <CodeSnippet isWrapped code={sqlLines(sql)} label={PURPOSES[purpose] ?? purpose} />
            {Object.keys(parameters).length > 0 && (
              <dl className={classes.parameters}>
                {Object.entries(parameters).map(([name, value]) => (
                  <div key={name}>
                    <dt>{name}</dt>
                    <dd>{JSON.stringify(value)}</dd>
                  </div>
                ))}
              </dl>
            )}
          </section>
        ))}
      </div>
    </Modal>
  );
}
