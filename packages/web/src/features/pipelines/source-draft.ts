import type { UseMutationResult } from '@tanstack/react-query';
import { useState } from 'react';
import { isConflict } from '../../components/conflict.tsx';
import { toast } from '../../components/toast.ts';
import { problemsInAnswer, type SourceProblem } from '../../lib/rule-language/index.ts';
import type { SavedSource } from './queries.ts';
import { texts } from './texts.ts';

/** A rule or a pipeline as it is stored. */
export interface StoredSource {
  readonly title: string;
  readonly description: string;
  readonly source: string;
  readonly revision: string | null;
}

export interface SourceDraft {
  readonly source: string;
  readonly description: string;
  readonly setSource: (source: string) => void;
  readonly setDescription: (description: string) => void;
  readonly isChanged: boolean;
  /** There is something that is neither stored nor on its way to the server. */
  readonly isUnsaved: boolean;
  readonly isSaving: boolean;
  /** A new one on its way to the server: its own page follows, which has only what was sent. */
  readonly isLeaving: boolean;
  readonly hasConflict: boolean;
  /** What the server said to the last attempt, beside problems of the source. */
  readonly error: Error | null;
  /** Of the source as it is now. */
  readonly refused: readonly SourceProblem[];
  readonly save: () => void;
  readonly overwrite: () => void;
  readonly reload: () => Promise<void>;
}

export interface SourceDraftOptions<View extends StoredSource> {
  readonly stored: View | undefined;
  /** What stands in a new one. */
  readonly initial: string;
  readonly saving: UseMutationResult<View, Error, SavedSource>;
  readonly onSaved: (saved: View) => void;
  /** As it is stored now. */
  readonly read: () => Promise<View>;
}

/** What is edited. Once touched, it keeps what it began with: what others change is met when it is saved. */
export function useSourceDraft<View extends StoredSource>(options: SourceDraftOptions<View>): SourceDraft {
  const { stored, initial, saving, onSaved } = options;
  const [base, setBase] = useState<StoredSource>(
    stored ?? { title: '', description: '', source: initial, revision: null },
  );
  const [source, setSource] = useState(base.source);
  const [description, setDescription] = useState(base.description);
  const [seen, setSeen] = useState(stored?.revision);
  const isChanged = source !== base.source || description !== base.description;
  const startFrom = (from: View) => {
    setBase(from);
    setSource(from.source);
    setDescription(from.description);
  };
  // What the page began with may have been an older answer of the server. What a save brings back is no news.
  if (stored !== undefined && stored.revision !== seen && (saving.isPending || !isChanged)) {
    setSeen(stored.revision);
    if (!saving.isPending) startFrom(stored);
  }
  const store = (revision: string | null) =>
    saving.mutate(
      { source, description, revision },
      {
        onSuccess: (saved) => {
          setBase(saved);
          toast(texts.saved(saved.title));
          onSaved(saved);
        },
      },
    );
  const startOver = (from: View) => {
    startFrom(from);
    saving.reset();
  };
  const sent = saving.isPending ? saving.variables : base;
  const isRefused = saving.variables?.source === source;
  const refused = isRefused ? problemsInAnswer(saving.error, source) : [];
  const hasConflict = isConflict(saving.error) && saving.variables?.revision === base.revision;
  const isOther = saving.error !== null && !hasConflict && problemsInAnswer(saving.error, '').length === 0;
  return {
    source,
    description,
    setSource,
    setDescription,
    isChanged,
    isUnsaved: source !== sent.source || description !== sent.description,
    isSaving: saving.isPending,
    isLeaving: stored === undefined && (saving.isPending || saving.isSuccess),
    hasConflict,
    error: isOther ? saving.error : null,
    refused,
    save: () => store(base.revision),
    overwrite: () => store(null),
    reload: async () => startOver(await options.read()),
  };
}
