import { Button } from '@mantine/core';
import type { InputLoss } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { useCan } from '../../lib/account/index.ts';
import { formatCount, sentence } from '../../lib/format/index.ts';
import { FAILURES_STREAM } from '../../lib/messages/index.ts';
import classes from './inputs.module.css';
import type { ListedInput } from './listed-inputs.ts';
import { inputFailuresQuery } from './queries.ts';
import { failureSearch } from './search-links.ts';
import { tabTexts } from './texts.ts';

/** What did not get in, with the reason in words and what to do about it. */
export function LossesTab({ input, combined: { losses } }: ListedInput) {
  return (
    <>
      {losses.length === 0 ? (
        <EmptyState title={tabTexts.nothingLost}>{tabTexts.nothingLostWhy}</EmptyState>
      ) : (
        <>
          <DataTable
            label={tabTexts.losses}
            rows={losses}
            rowKey={({ reason }) => reason}
            columns={[
              {
                key: 'count',
                title: tabTexts.count,
                width: '96px',
                align: 'end',
                render: ({ count }) => <strong>{formatCount(count)}</strong>,
              },
              { key: 'reason', title: tabTexts.reason, render: (loss) => <Reason {...loss} /> },
              { key: 'remedy', title: tabTexts.remedy, render: ({ remedy }) => sentence(remedy) },
            ]}
          />
          <p className={classes.quiet}>{tabTexts.lossesAbout}</p>
        </>
      )}
      <InputFailures inputId={input.id} />
    </>
  );
}

function Reason({ what, example }: InputLoss) {
  if (example === null) return sentence(what);
  return (
    <>
      {sentence(what)} {tabTexts.example} <code>{example}</code>
    </>
  );
}

function InputFailures({ inputId }: { readonly inputId: string }) {
  const mayRead = useCan('streams:read', FAILURES_STREAM);
  const { data: count } = useQuery({ ...inputFailuresQuery(inputId), enabled: mayRead });
  if (count === undefined) return null;
  return (
    <section className={classes.section} aria-label={tabTexts.failures}>
      <h2>{tabTexts.failures}</h2>
      <div className={classes.line}>
        <span>{count === 0 ? tabTexts.noFailures : tabTexts.someFailures(count)}</span>
        {count > 0 && (
          <Button renderRoot={(props) => <Link {...failureSearch(inputId)} {...props} />}>
            {tabTexts.show}
          </Button>
        )}
      </div>
    </section>
  );
}
