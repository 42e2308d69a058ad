import { Button, Modal, NumberInput, Progress, SegmentedControl, TagsInput } from '@mantine/core';
import type { ExportFormatName, ExportJob } from '@millrace/contract';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { InlineNotice } from '../../../components/inline-notice.tsx';
import { countOf, formatBytes } from '../../../lib/format/index.ts';
import { fromFound } from '../../../lib/messages/index.ts';
import { fieldsQuery, messagesQuery } from '../queries.ts';
import type { Run } from '../run.ts';
import type { SearchState } from '../use-search.ts';
import classes from './export.module.css';
import { bytesPerRow, type ExportChoices } from './export-request.ts';
import { exportTexts as texts } from './texts.ts';
import { useExport } from './use-export.ts';

const FORMATS: readonly { readonly value: ExportFormatName; readonly label: string }[] = [
  { value: 'csv', label: 'CSV' },
  { value: 'json', label: 'JSON' },
  { value: 'ndjson', label: 'NDJSON' },
];
const SAMPLE = 100;

export interface ExportDialogProps {
  readonly search: SearchState;
  readonly run: Run;
  readonly onClose: () => void;
}

/** Format, columns and rows; then how far it is. Closing it does not stop the download. */
export function ExportDialog({ search, run, onClose }: ExportDialogProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      closeButtonProps={{ 'aria-label': 'Close' }}
      title={texts.title}
      size={520}
    >
      <ExportForm search={search} run={run} onClose={onClose} />
    </Modal>
  );
}

function ExportForm({ search, run, onClose }: ExportDialogProps) {
  const [format, setFormat] = useState<ExportFormatName>('csv');
  const [fields, setFields] = useState<string[]>(search.values.cols.map(({ field }) => field));
  const [limit, setLimit] = useState<number>();
  const { data: known } = useQuery(fieldsQuery);
  const { job, isStarting, error, start, cancel, reset } = useExport(run);
  const estimate = useEstimate(run, { format, fields, limit });
  const isIdle = job === undefined;
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        start({ format, fields, limit });
      }}
    >
      <SegmentedControl
        aria-label={texts.format}
        data={[...FORMATS]}
        value={format}
        disabled={!isIdle}
        onChange={(value) => setFormat(value as ExportFormatName)}
      />
      <TagsInput
        label={texts.columns}
        description={texts.columnsHelp}
        data={known?.map(({ name }) => name) ?? []}
        limit={50}
        value={fields}
        disabled={!isIdle}
        onChange={setFields}
      />
      <NumberInput
        label={texts.rows}
        description={texts.rowsHelp}
        placeholder={texts.allRows(estimate.total)}
        min={1}
        allowDecimal={false}
        thousandSeparator=" "
        value={limit ?? ''}
        disabled={!isIdle}
        onChange={(value) => setLimit(typeof value === 'number' && value > 0 ? value : undefined)}
      />
      {isIdle && <p className={classes.estimate}>{texts.estimate(estimate.rows, estimate.bytes)}</p>}
      {job !== undefined && <ExportProgress job={job} />}
      {error !== null && <ErrorNotice error={error} />}
      <div className={classes.buttons}>
        {job?.state === 'running' || job?.state === 'waiting' ? (
          <Button onClick={cancel}>{texts.cancel}</Button>
        ) : (
          <Button onClick={onClose}>{texts.close}</Button>
        )}
        {isIdle ? (
          // With keys of their own: the button that starts over must not become the one that sends the form under its click.
          <Button
            key="start"
            type="submit"
            variant="filled"
            disabled={fields.length === 0}
            loading={isStarting}
          >
            {texts.start}
          </Button>
        ) : (
          job.state !== 'running' &&
          job.state !== 'waiting' && (
            <Button key="again" onClick={reset}>
              {texts.again}
            </Button>
          )
        )}
      </div>
    </form>
  );
}

function useEstimate(run: Run, { format, fields, limit }: ExportChoices) {
  const { data } = useInfiniteQuery(messagesQuery(run));
  const [first] = data?.pages ?? [];
  const total = first?.searched_from === undefined ? first?.total_results : undefined;
  const perRow = useMemo(
    () => bytesPerRow((first?.messages ?? []).slice(0, SAMPLE).map(fromFound), { format, fields }),
    [first, format, fields],
  );
  const rows = total === undefined ? limit : Math.min(total, limit ?? total);
  return { total, rows, bytes: rows === undefined || perRow === undefined ? undefined : rows * perRow };
}

function ExportProgress({ job }: { readonly job: ExportJob }) {
  const { state, rows, total, bytes } = job;
  if (state === 'failed') {
    return <InlineNotice kind="danger">{texts.failed(job.message ?? '', rows)}</InlineNotice>;
  }
  const text =
    state === 'done'
      ? texts.done(rows, formatBytes(bytes))
      : state === 'cancelled'
        ? texts.cancelled(rows)
        : texts.progress(rows, total, formatBytes(bytes));
  return (
    <div className={classes.progress}>
      <Progress value={total === 0 ? 100 : (rows / total) * 100} aria-label={texts.title} />
      <p role="status">{text}</p>
      {state === 'done' && rows < total && <p>{texts.fewer(countOf(total - rows, 'message'))}</p>}
    </div>
  );
}
