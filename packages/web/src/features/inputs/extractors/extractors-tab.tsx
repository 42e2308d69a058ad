import { Button } from '@mantine/core';
import type { ExtractorList as Listed } from '@millrace/contract';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Disabled, usePermissionReason } from '../../../components/disabled.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { FindBox } from '../../../components/find-box.tsx';
import { LeaveScopeContext, useLeaveScope } from '../../../components/leave-question.tsx';
import { Pages } from '../../../components/pages.tsx';
import { saveFile } from '../../../lib/save-file.ts';
import type { ListedInput } from '../listed-inputs.ts';
import { texts as inputTexts } from '../texts.ts';
import { ExtractorForm } from './extractor-form.tsx';
import { ExtractorList } from './extractor-list.tsx';
import classes from './extractors.module.css';
import { ImportForm } from './import-form.tsx';
import {
  allExtractorsQuery,
  extractorPageQuery,
  extractorTypesQuery,
  type ListValues,
  PER_PAGE,
  useExportExtractors,
} from './queries.ts';
import { extractorTexts as texts } from './texts.ts';

/** The extractors of an input, in the order in which they run. */
export function ExtractorsTab({ input }: ListedInput) {
  const [values, setValues] = useState<ListValues>({ find: '', page: 1 });
  const { data, error, refetch, isPlaceholderData, isFetching } = useQuery(
    extractorPageQuery(input.id, values),
  );
  const scope = useLeaveScope();
  // A form that is open below its row goes with it.
  const change = (next: Partial<ListValues>) => scope.leave(() => setValues((now) => ({ ...now, ...next })));
  const isSearched = values.find.trim() !== '';
  const isEmpty = data?.total === 0 && !isPlaceholderData;
  return (
    <>
      <Head inputId={input.id} isEmpty={isEmpty && !isSearched} />
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {(isSearched || (data !== undefined && data.total > 0)) && (
        <FindBox
          label={texts.find}
          hint={texts.findHint}
          group={texts.title}
          find={values.find}
          onFind={(find) => change({ find, page: 1 })}
        />
      )}
      {data !== undefined && (
        <>
          <LeaveScopeContext value={scope}>
            {data.extractors.length > 0 && <Found inputId={input.id} values={values} list={data} />}
          </LeaveScopeContext>
          <Pages
            page={values.page}
            perPage={PER_PAGE}
            total={data.total}
            one={texts.one}
            isOld={isPlaceholderData || isFetching}
            onPage={(page) => change({ page })}
          />
        </>
      )}
      {isEmpty && isSearched && (
        <EmptyState
          title={texts.noneFound(values.find)}
          action={<Button onClick={() => change({ find: '', page: 1 })}>{texts.showAll}</Button>}
        />
      )}
    </>
  );
}

interface FoundProps {
  readonly inputId: string;
  readonly values: ListValues;
  readonly list: Listed;
}

function Found({ inputId, values: { find, page }, list: { total, extractors } }: FoundProps) {
  const types = useQuery(extractorTypesQuery);
  const reason = usePermissionReason('inputs:edit', inputId, inputTexts.thisInput);
  if (types.data === undefined) {
    return types.error && <ErrorNotice error={types.error} onRetry={() => void types.refetch()} />;
  }
  const ends = {
    first: page === 1 ? extractors[0]?.id : undefined,
    last: page * PER_PAGE >= total ? extractors.at(-1)?.id : undefined,
  };
  return (
    <ExtractorList
      {...{ inputId, extractors, ends, reason }}
      types={types.data}
      orderReason={find.trim() === '' ? undefined : texts.orderOfAll}
    />
  );
}

/** What can be done with all of them, and the form of a new one. */
function Head({ inputId, isEmpty }: { readonly inputId: string; readonly isEmpty: boolean }) {
  const [opened, setOpened] = useState<'new' | 'import'>();
  const reason = usePermissionReason('inputs:edit', inputId, inputTexts.thisInput);
  const exporting = useExportExtractors(inputId);
  const scope = useLeaveScope();
  const open = (form: 'new' | 'import') => form !== opened && scope.leave(() => setOpened(form));
  const close = () => setOpened(undefined);
  const download = () =>
    exporting.mutate(undefined, {
      onSuccess: (exported) =>
        saveFile('extractors.json', `${JSON.stringify(exported, undefined, 2)}\n`, 'application/json'),
    });
  return (
    <>
      <div className={classes.head}>
        <p className={classes.about}>{texts.about}</p>
        <Disabled reason={reason}>
          <Button onClick={() => open('import')}>{texts.import}</Button>
        </Disabled>
        <Disabled reason={isEmpty ? texts.nothingToExport : undefined}>
          <Button loading={exporting.isPending} onClick={download}>
            {texts.export}
          </Button>
        </Disabled>
        <Disabled reason={reason}>
          <Button variant="filled" leftSection={<IconPlus size={16} />} onClick={() => open('new')}>
            {texts.newExtractor}
          </Button>
        </Disabled>
      </div>
      {exporting.error !== null && <ErrorNotice error={exporting.error} />}
      <LeaveScopeContext value={scope}>
        {opened === 'import' && <ImportForm inputId={inputId} onDone={close} />}
        {opened === 'new' && <NewExtractor inputId={inputId} reason={reason} onDone={close} />}
      </LeaveScopeContext>
      {isEmpty && opened === undefined && <EmptyState title={texts.empty}>{texts.emptyWhy}</EmptyState>}
    </>
  );
}

interface NewExtractorProps {
  readonly inputId: string;
  readonly reason: string | undefined;
  readonly onDone: () => void;
}

/** It runs after all the others. */
function NewExtractor({ inputId, reason, onDone }: NewExtractorProps) {
  const types = useQuery(extractorTypesQuery);
  const all = useQuery(allExtractorsQuery(inputId));
  if (types.data === undefined || all.data === undefined) {
    const error = types.error ?? all.error;
    const retry = () => void Promise.all([types.refetch(), all.refetch()]);
    return error === null ? null : <ErrorNotice error={error} onRetry={retry} />;
  }
  const last = all.data.extractors.at(-1);
  return (
    <ExtractorForm
      {...{ inputId, reason, onDone }}
      types={types.data}
      extractor={undefined}
      order={last === undefined ? 0 : last.order + 1}
    />
  );
}
