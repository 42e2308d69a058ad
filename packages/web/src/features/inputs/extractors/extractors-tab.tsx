import { Button } from '@mantine/core';
import type { ExtractorTypes, ExtractorView } from '@millrace/contract';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Disabled, usePermissionReason } from '../../../components/disabled.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { saveFile } from '../../../lib/save-file.ts';
import type { ListedInput } from '../listed-inputs.ts';
import { texts as inputTexts } from '../texts.ts';
import { ExtractorForm } from './extractor-form.tsx';
import { ExtractorList } from './extractor-list.tsx';
import classes from './extractors.module.css';
import { ImportForm } from './import-form.tsx';
import { extractorsQuery, extractorTypesQuery, useExportExtractors } from './queries.ts';
import { extractorTexts as texts } from './texts.ts';

/** The extractors of an input, in the order in which they run. */
export function ExtractorsTab({ input }: ListedInput) {
  const extractors = useQuery(extractorsQuery(input.id));
  const types = useQuery(extractorTypesQuery);
  const error = extractors.error ?? types.error;
  if (extractors.data !== undefined && types.data !== undefined) {
    return <Extractors inputId={input.id} extractors={extractors.data} types={types.data} />;
  }
  if (error === null) return null;
  const retry = () => void Promise.all([extractors.refetch(), types.refetch()]);
  return <ErrorNotice error={error} onRetry={retry} />;
}

interface ExtractorsProps {
  readonly inputId: string;
  readonly extractors: readonly ExtractorView[];
  readonly types: ExtractorTypes;
}

function Extractors({ inputId, extractors, types }: ExtractorsProps) {
  const [opened, setOpened] = useState<'new' | 'import'>();
  const reason = usePermissionReason('inputs:edit', inputId, inputTexts.thisInput);
  const exporting = useExportExtractors(inputId);
  const close = () => setOpened(undefined);
  const download = () =>
    exporting.mutate(undefined, {
      onSuccess: (exported) =>
        saveFile('extractors.json', `${JSON.stringify(exported, undefined, 2)}\n`, 'application/json'),
    });
  const last = extractors.at(-1);
  const createButton = (
    <Disabled reason={reason}>
      <Button variant="filled" leftSection={<IconPlus size={16} />} onClick={() => setOpened('new')}>
        {texts.newExtractor}
      </Button>
    </Disabled>
  );
  return (
    <>
      <div className={classes.head}>
        <p className={classes.about}>{texts.about}</p>
        <Disabled reason={reason}>
          <Button onClick={() => setOpened('import')}>{texts.import}</Button>
        </Disabled>
        <Disabled reason={extractors.length === 0 ? texts.nothingToExport : undefined}>
          <Button loading={exporting.isPending} onClick={download}>
            {texts.export}
          </Button>
        </Disabled>
        {createButton}
      </div>
      {exporting.error !== null && <ErrorNotice error={exporting.error} />}
      {opened === 'import' && <ImportForm inputId={inputId} onDone={close} />}
      {opened === 'new' && (
        <ExtractorForm
          {...{ inputId, types, reason }}
          extractor={undefined}
          order={last === undefined ? 0 : last.order + 1}
          onDone={close}
        />
      )}
      {extractors.length > 0 ? (
        <ExtractorList {...{ inputId, extractors, types, reason }} />
      ) : (
        opened === undefined && <EmptyState title={texts.empty}>{texts.emptyWhy}</EmptyState>
      )}
    </>
  );
}
