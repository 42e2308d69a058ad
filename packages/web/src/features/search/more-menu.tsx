import { Button, Menu, Popover, TextInput } from '@mantine/core';
import { IconBookmark, IconChevronDown, IconDownload, IconLink, IconLinkPlus } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { missingPermission } from '../../components/disabled.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { toast } from '../../components/toast.ts';
import { useCan, usePreferences } from '../../lib/account/index.ts';
import { call } from '../../lib/api/index.ts';
import { useShortcuts } from '../../lib/keys/index.ts';
import { stringifySearch } from '../../lib/url/index.ts';
import { exportUrl } from './export-url.ts';
import { MakeStreamItem } from './make-stream.tsx';
import { savedSearchesQuery } from './queries.ts';
import { savedSearchOf } from './saved-search.ts';
import classes from './search.module.css';
import { frozenParams, searchParams } from './search-params.ts';
import { texts } from './texts.ts';
import type { SearchState } from './use-search.ts';

/** Looks, links, saving and export. */
export function MoreMenu({ search }: { readonly search: SearchState }) {
  const { params, values, run } = search;
  const [{ density, wrapLines }, changePreferences] = usePreferences();
  const [isSaving, setSaving] = useState(false);
  const maySave = useCan('savedsearches:create');
  const copy = (isFrozen: boolean) => {
    const frozen = isFrozen && run !== undefined;
    const shown = frozen ? frozenParams(params, run.span.from, run.span.to) : searchParams.write({}, params);
    void navigator.clipboard.writeText(`${location.origin}/search${stringifySearch(shown)}`);
    toast(texts.linkCopied);
  };
  const toggleDensity = () => changePreferences({ density: density === 'compact' ? 'normal' : 'compact' });
  useShortcuts([
    { keys: 'y', label: texts.copyLink, group: texts.title, run: () => copy(true) },
    {
      keys: '.',
      label: texts.wrap,
      group: texts.title,
      run: () => changePreferences({ wrapLines: !wrapLines }),
    },
    { keys: 'mod+s', label: texts.save, group: texts.title, run: () => maySave && setSaving(true) },
  ]);
  return (
    <Popover
      opened={isSaving}
      onChange={setSaving}
      position="bottom-end"
      trapFocus
      width={320}
      withRoles={false}
    >
      <Popover.Target>
        <div>
          <Menu position="bottom-end">
            <Menu.Target>
              <Button size="xs" rightSection={<IconChevronDown size={14} />}>
                {texts.more}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.CheckboxItem
                checked={wrapLines}
                onChange={() => changePreferences({ wrapLines: !wrapLines })}
              >
                {texts.wrap}
              </Menu.CheckboxItem>
              <Menu.CheckboxItem checked={density === 'compact'} onChange={toggleDensity}>
                {texts.compact}
              </Menu.CheckboxItem>
              <Menu.Divider />
              <Menu.Item leftSection={<IconLink size={16} />} onClick={() => copy(true)}>
                {texts.copyLink}
              </Menu.Item>
              <Menu.Item leftSection={<IconLinkPlus size={16} />} onClick={() => copy(false)}>
                {texts.copyLinkRelative}
              </Menu.Item>
              <Menu.Item
                leftSection={<IconBookmark size={16} />}
                disabled={!maySave}
                title={maySave ? undefined : missingPermission('savedsearches:create')}
                onClick={() => setSaving(true)}
              >
                {texts.save}
              </Menu.Item>
              <MakeStreamItem search={search} />
              {run !== undefined && (
                <Menu.Item
                  component="a"
                  href={exportUrl(run, values.cols)}
                  download
                  leftSection={<IconDownload size={16} />}
                >
                  {texts.exportColumns}
                </Menu.Item>
              )}
            </Menu.Dropdown>
          </Menu>
        </div>
      </Popover.Target>
      <Popover.Dropdown>
        <SaveForm search={search} onDone={() => setSaving(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}

function SaveForm({ search, onDone }: { readonly search: SearchState; readonly onDone: () => void }) {
  const [title, setTitle] = useState('');
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: () => call('POST /search/saved', { body: savedSearchOf(title.trim(), search.values) }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: savedSearchesQuery.queryKey });
      toast(`Saved as ${title.trim()}`);
      onDone();
    },
  });
  return (
    <form
      className={classes.saveForm}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <TextInput
        label="Title"
        description="It keeps the query, the time as it was chosen, streams and columns."
        value={title}
        maxLength={200}
        onChange={(event) => setTitle(event.currentTarget.value)}
        data-autofocus
      />
      {save.error !== null && <ErrorNotice error={save.error} />}
      <Button type="submit" variant="filled" disabled={title.trim() === ''} loading={save.isPending}>
        {texts.save}
      </Button>
    </form>
  );
}
