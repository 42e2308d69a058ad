import { Button, Menu, Popover } from '@mantine/core';
import {
  IconBookmark,
  IconChevronDown,
  IconDatabaseSearch,
  IconDownload,
  IconLink,
  IconLinkPlus,
} from '@tabler/icons-react';
import { useState } from 'react';
import { missingPermission } from '../../components/disabled.tsx';
import { KeyHint } from '../../components/key-hint.tsx';
import { toast } from '../../components/toast.ts';
import { useCan, usePreferences } from '../../lib/account/index.ts';
import { useShortcuts } from '../../lib/keys/index.ts';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { describeTimeRange } from '../../lib/time/index.ts';
import { stringifySearch } from '../../lib/url/index.ts';
import { ExportDialog } from './export/export-button.tsx';
import { MakeAlertItem, MakeStreamItem } from './make-items.tsx';
import { SaveForm } from './saved/save-form.tsx';
import { frozenParams, searchParams } from './search-params.ts';
import { addressOf } from './session/long-query.ts';
import { texts } from './texts.ts';
import type { SearchState } from './use-search.ts';

const SqlDialog = lazyPart(async () => (await import('./query/sql-dialog.tsx')).SqlDialog);

type Open = 'save' | 'export' | 'sql' | undefined;

/** Looks, links, saving and export. */
export function MoreMenu({ search }: { readonly search: SearchState }) {
  'use memo';
  const { run } = search;
  const [open, setOpen] = useState<Open>();
  const maySave = useCan('savedsearches:create');
  const look = useLook();
  useShortcuts([
    { keys: 'y', label: texts.copyLink, group: texts.title, run: () => copyLink(search, true) },
    { keys: '.', label: texts.wrap, group: texts.title, run: look.toggleWrap },
    { keys: 'mod+s', label: texts.save, group: texts.title, run: () => maySave && setOpen('save') },
  ]);
  const close = () => setOpen(undefined);
  return (
    <>
      <Popover
        opened={open === 'save'}
        onChange={(isOpen) => !isOpen && close()}
        position="bottom-end"
        trapFocus
        width={360}
        withRoles={false}
      >
        <Popover.Target>
          <div>
            <Menu position="bottom-end" width={320}>
              <Menu.Target>
                <Button size="xs" rightSection={<IconChevronDown size={14} />}>
                  {texts.more}
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.CheckboxItem checked={look.isWrapped} onChange={look.toggleWrap}>
                  {texts.wrap}
                </Menu.CheckboxItem>
                <Menu.CheckboxItem checked={look.isCompact} onChange={look.toggleCompact}>
                  {texts.compact}
                </Menu.CheckboxItem>
                <Menu.Divider />
                <LinkItems search={search} />
                <Menu.Divider />
                <Menu.Item
                  leftSection={<IconBookmark size={16} />}
                  rightSection={<KeyHint keys="mod+s" />}
                  disabled={!maySave}
                  title={maySave ? undefined : missingPermission('savedsearches:create')}
                  onClick={() => setOpen('save')}
                >
                  {texts.save}
                </Menu.Item>
                <MakeStreamItem search={search} />
                <MakeAlertItem search={search} />
                <RunItems search={search} onOpen={setOpen} />
              </Menu.Dropdown>
            </Menu>
          </div>
        </Popover.Target>
        <Popover.Dropdown>
          <SaveForm search={search} onDone={close} />
        </Popover.Dropdown>
      </Popover>
      {run !== undefined && open === 'export' && <ExportDialog search={search} run={run} onClose={close} />}
      {run !== undefined && open === 'sql' && <SqlDialog run={run} onClose={close} />}
    </>
  );
}

function useLook() {
  const [{ density, wrapLines }, change] = usePreferences();
  const isCompact = density === 'compact';
  return {
    isWrapped: wrapLines,
    isCompact,
    toggleWrap: () => change({ wrapLines: !wrapLines }),
    toggleCompact: () => change({ density: isCompact ? 'normal' : 'compact' }),
  };
}

function LinkItems({ search }: { readonly search: SearchState }) {
  const { values, zone } = search;
  const isFixed = values.t.type === 'absolute';
  return (
    <>
      <Menu.Item
        leftSection={<IconLink size={16} />}
        rightSection={<KeyHint keys="y" />}
        onClick={() => copyLink(search, true)}
      >
        {texts.copyLink}
      </Menu.Item>
      {!isFixed && (
        <Menu.Item leftSection={<IconLinkPlus size={16} />} onClick={() => copyLink(search, false)}>
          {texts.copyLinkRelative(describeTimeRange(values.t, zone))}
        </Menu.Item>
      )}
    </>
  );
}

/** A frozen link shows the same messages tomorrow; the other one what there is then. */
export function copyLink({ params, run }: SearchState, isFrozen: boolean): void {
  const shown =
    isFrozen && run !== undefined
      ? frozenParams(params, run.span.from, run.span.to)
      : searchParams.write({}, params);
  const { search, hash } = addressOf(shown);
  const link = `${location.origin}/search${stringifySearch(search)}${hash === '' ? '' : `#${hash}`}`;
  navigator.clipboard.writeText(link).then(
    () => toast(texts.linkCopied),
    () => toast(texts.linkNotCopied),
  );
}

interface RunItemsProps {
  readonly search: SearchState;
  readonly onOpen: (what: Open) => void;
}

/** What is done with the messages that were found. */
function RunItems({ search, onOpen }: RunItemsProps) {
  const maySeeSql = useCan('searches:sql');
  const isReady = search.run !== undefined;
  return (
    <>
      <Menu.Item
        leftSection={<IconDownload size={16} />}
        disabled={!isReady}
        onClick={() => onOpen('export')}
      >
        {texts.export}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconDatabaseSearch size={16} />}
        disabled={!isReady || !maySeeSql}
        title={maySeeSql ? undefined : missingPermission('searches:sql')}
        onClick={() => onOpen('sql')}
      >
        {texts.showSql}
      </Menu.Item>
    </>
  );
}
