/** A file of grok patterns: a name, a space and a pattern in each line; `#` starts a comment. */
export interface PatternFile {
  readonly patterns: readonly { readonly name: string; readonly pattern: string }[];
  /** The first line that is neither, from 1. */
  readonly wrongLine: number | undefined;
}

export function readPatternFile(text: string): PatternFile {
  const lines = text.split(/\r?\n/);
  const patterns: { name: string; pattern: string }[] = [];
  let wrongLine: number | undefined;
  for (const [at, line] of lines.entries()) {
    if (line.trim() === '' || line.trimStart().startsWith('#')) continue;
    const [, name, pattern] = /^\s*(\w+)\s+(\S.*?)\s*$/.exec(line) ?? [];
    if (name === undefined || pattern === undefined) wrongLine ??= at + 1;
    else patterns.push({ name, pattern });
  }
  return { patterns, wrongLine };
}
