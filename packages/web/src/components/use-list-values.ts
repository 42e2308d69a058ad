import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ParamCodec, SearchParams } from '../lib/url/index.ts';

/** What a list shows, and a way to change it. */
export interface ListState<Values> {
  readonly values: Readonly<Values>;
  readonly change: (next: Partial<Values>) => void;
}

/** What the list of the page at `to` shows, as its address says. */
export function useListValues<Values>(to: string, params: ParamCodec<Values>): ListState<Values> {
  const search = useSearch({ strict: false }) as SearchParams;
  const { values } = params.read(search);
  const navigate = useNavigate();
  const change = (next: Partial<Values>) => void navigate({ to, search: params.update(next), replace: true });
  return { values, change };
}
