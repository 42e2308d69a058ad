/** The extractors of an export, a whole one or only its list; undefined for what is none. */
export function readExport(text: string): unknown[] | undefined {
  const value = parsed(text);
  const list = Array.isArray(value)
    ? value
    : (value as { extractors?: unknown } | null | undefined)?.extractors;
  return Array.isArray(list) && list.length > 0 ? list : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
