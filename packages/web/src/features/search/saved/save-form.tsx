import { Button, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { toast } from '../../../components/toast.ts';
import { useCan } from '../../../lib/account/index.ts';
import { call } from '../../../lib/api/index.ts';
import { savedSearchesQuery } from '../queries.ts';
import { texts } from '../texts.ts';
import type { SearchState } from '../use-search.ts';
import classes from './save-form.module.css';
import { savedSearchOf } from './saved-search.ts';

/** Saves the search under a title, or changes the one that was opened. */
export function SaveForm({ search, onDone }: { readonly search: SearchState; readonly onDone: () => void }) {
  const { values } = search;
  const { data } = useQuery(savedSearchesQuery);
  const opened = data?.searches.find(({ id }) => id === values.saved);
  const mayChange = useCan('savedsearches:edit', values.saved);
  const [title, setTitle] = useState('');
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: async ({ id, as }: { readonly id?: string; readonly as: string }) => {
      const body = savedSearchOf(as, values);
      if (id !== undefined) await call('PUT /search/saved/{searchId}', { path: { searchId: id }, body });
      else search.change({ saved: (await call('POST /search/saved', { body })).search_id });
      return as;
    },
    onSuccess: (as) => {
      void client.invalidateQueries({ queryKey: savedSearchesQuery.queryKey });
      toast(`Saved as ${as}`);
      onDone();
    },
  });
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (title.trim() !== '') save.mutate({ as: title.trim() });
      }}
    >
      <TextInput
        label="Title"
        description="It keeps the query, the time as it was chosen, streams, columns and view."
        value={title}
        maxLength={200}
        onChange={(event) => setTitle(event.currentTarget.value)}
        data-autofocus
      />
      {save.error !== null && <ErrorNotice error={save.error} />}
      <div className={classes.buttons}>
        {opened !== undefined && mayChange && (
          <Button
            loading={save.isPending}
            onClick={() => save.mutate({ id: opened.id, as: opened.title })}
          >{`Change “${opened.title}”`}</Button>
        )}
        <Button type="submit" variant="filled" disabled={title.trim() === ''} loading={save.isPending}>
          {texts.save}
        </Button>
      </div>
    </form>
  );
}
