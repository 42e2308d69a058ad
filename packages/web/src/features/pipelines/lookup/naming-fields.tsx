import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { ApiError } from '../../../lib/api/index.ts';
import { lookupTexts } from './texts.ts';

export interface Naming {
  readonly title: string;
  readonly name: string;
  readonly description: string;
}

export const namingOf = (stored: Naming | undefined): Naming => ({
  title: stored?.title ?? '',
  name: stored?.name ?? '',
  description: stored?.description ?? '',
});

/** A name that rules can call, made of a title. */
export function nameFor(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 100);
}

/** What is wrong with it; undefined: nothing. */
export function namingProblems({ title, name }: Naming) {
  const titleProblem = title.trim() === '' ? lookupTexts.needed : undefined;
  const nameProblem = /^[\w-]+$/.test(name) ? undefined : lookupTexts.nameWrong;
  return titleProblem === undefined && nameProblem === undefined
    ? undefined
    : { title: titleProblem, name: nameProblem };
}

export interface NamingFieldsProps {
  readonly naming: Naming;
  readonly onChange: (naming: Naming) => void;
  /** Whether somebody tried to send it. */
  readonly isTried: boolean;
  /** What the server said to the last attempt. */
  readonly error: Error | null;
  /** A new one gets its name from its title, until somebody types another. */
  readonly isNew: boolean;
}

/** What tables, adapters and caches have in common. */
export function NamingFields({ naming, onChange, isTried, error, isNew }: NamingFieldsProps) {
  const { title, name, description } = naming;
  const problems = isTried ? namingProblems(naming) : undefined;
  // What the server said is about what was sent; another text is not wrong until it says so again.
  const [answered, setAnswered] = useState<{ readonly error: Error | null; readonly sent: Naming }>({
    error,
    sent: naming,
  });
  if (error !== answered.error) setAnswered({ error, sent: naming });
  const said = (path: keyof Naming) =>
    error instanceof ApiError && naming[path] === answered.sent[path]
      ? error.problems.find((problem) => problem.path === path)?.message
      : undefined;
  const setTitle = (next: string) => {
    const follows = isNew && name === nameFor(title);
    onChange({ ...naming, title: next, ...(follows ? { name: nameFor(next) } : {}) });
  };
  return (
    <>
      <TextInput
        label={lookupTexts.titleLabel}
        value={title}
        maxLength={200}
        error={problems?.title ?? said('title')}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <TextInput
        label={lookupTexts.name}
        description={lookupTexts.nameHelp}
        classNames={{ input: 'mono' }}
        value={name}
        maxLength={100}
        error={problems?.name ?? said('name')}
        onChange={(event) => onChange({ ...naming, name: event.currentTarget.value })}
      />
      <TextInput
        label={lookupTexts.description}
        value={description}
        maxLength={2000}
        error={said('description')}
        onChange={(event) => onChange({ ...naming, description: event.currentTarget.value })}
      />
    </>
  );
}
