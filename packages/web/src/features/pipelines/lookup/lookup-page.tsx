import { Button, SegmentedControl } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Disabled, usePermissionReason } from '../../../components/disabled.tsx';
import { useShortcuts } from '../../../lib/keys/index.ts';
import { choiceParam, pageParams, type SearchParams } from '../../../lib/url/index.ts';
import classes from '../pipelines.module.css';
import { Section } from '../section.tsx';
import { KINDS, type Kind } from './kinds.ts';
import { PartForm } from './part-form.tsx';
import { PartList } from './part-list.tsx';
import { TableForm } from './table-form.tsx';
import { TableList } from './table-list.tsx';
import { lookupTexts } from './texts.ts';

const kindParams = pageParams<{ kind: Kind }>({ kind: choiceParam(KINDS, 'tables') });

/** Lookup tables, data adapters and caches: `?kind=`. */
export function LookupPage() {
  const search = useSearch({ strict: false }) as SearchParams;
  const { kind } = kindParams.read(search).values;
  const navigate = useNavigate();
  const [newKind, setNewKind] = useState<Kind>();
  // It is gone once another kind is shown, which is asked about first if something is not saved.
  const isNew = newKind === kind;
  const reason = usePermissionReason('lookuptables:create');
  const { newOne, title } = lookupTexts.kinds[kind];
  const create = () => setNewKind(kind);
  useShortcuts(reason === undefined ? [{ keys: 'n', label: newOne, group: title, run: create }] : []);
  const open = (chosen: string) => {
    const next = KINDS.find((known) => known === chosen) ?? 'tables';
    void navigate({ to: '/pipelines/lookup', search: kindParams.write({ kind: next }) });
  };
  const close = () => setNewKind(undefined);
  return (
    <Section
      section="lookup"
      actions={
        <Disabled reason={reason}>
          <Button variant="filled" leftSection={<IconPlus size={16} />} onClick={create}>
            {newOne}
          </Button>
        </Disabled>
      }
    >
      <SegmentedControl
        className={classes.start ?? ''}
        aria-label={lookupTexts.which}
        value={kind}
        onChange={open}
        data={KINDS.map((value) => ({ value, label: lookupTexts.kinds[value].title }))}
      />
      {isNew && kind === 'tables' && <TableForm table={undefined} onDone={close} />}
      {isNew && kind !== 'tables' && (
        <PartForm key={`new-${kind}`} kind={kind} part={undefined} onDone={close} />
      )}
      {kind === 'tables' ? <TableList /> : <PartList key={kind} kind={kind} />}
    </Section>
  );
}
