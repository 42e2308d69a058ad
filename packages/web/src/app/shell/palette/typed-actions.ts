import { asPhrase, parseQuery } from '@millrace/query';

/** Something that the text typed into the palette could mean. */
export interface TypedAction {
  readonly id: string;
  readonly label: string;
  /** Path, search and hash. */
  readonly href: string;
}

const ENTITY_ID = /^[0-9a-f]{24}$/;
const MESSAGE_ID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/** A pasted address of this site or of Graylog, an id, or words to look for. */
export function typedActions(text: string, origin: string): TypedAction[] {
  const typed = text.trim();
  if (typed === '') return [];
  const path = ownPathOf(typed, origin);
  if (path !== undefined) return [{ id: 'open', label: `Open ${path}`, href: path }];
  if (MESSAGE_ID.test(typed)) {
    return [search('message', `Find the message ${typed}`, `_id:"${typed}"`, '3650d')];
  }
  if (ENTITY_ID.test(typed)) {
    return [
      { id: 'stream', label: `Search the stream ${typed}`, href: `/search?s=${typed}` },
      search('input', `Search what the input ${typed} received`, `gl2_source_input:${typed}`),
    ];
  }
  const query = parseQuery(typed).query === undefined ? asPhrase(typed) : typed;
  return [search('query', `Search for ${query}`, query)];
}

function search(id: string, label: string, query: string, time?: string): TypedAction {
  const params = new URLSearchParams({ q: query, ...(time === undefined ? {} : { t: time }) });
  return { id, label, href: `/search?${params}` };
}

/** Another node of the same cluster may have made the link; only what stands behind its host counts. */
function ownPathOf(text: string, origin: string): string | undefined {
  if (!/^(?:https?:\/\/|\/)[^\s]+$/.test(text)) return undefined;
  try {
    const { pathname, search: query, hash, protocol } = new URL(text, origin);
    const isPage = /^\/(?:search|streams|messages|me|welcome)(?:\/|$)/.test(pathname);
    return isPage && /^https?:$/.test(protocol) ? `${pathname}${query}${hash}` : undefined;
  } catch {
    return undefined;
  }
}
