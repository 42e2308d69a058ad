const CLAUSES =
  'SELECT|FROM|PREWHERE|WHERE|GROUP BY|HAVING|ORDER BY|LIMIT|SETTINGS|UNION ALL|FORMAT|WITH|LEFT JOIN|INNER JOIN|ARRAY JOIN';
/** Text in quotes is one token, so that nothing inside of it is taken for a keyword. */
const TOKENS = new RegExp(
  `'(?:[^'\\\\]|\\\\.|'')*'|\`[^\`]*\`|"[^"]*"|\\b(?:${CLAUSES}|AND|OR)\\b|[(),]|\\s+|[^\\s'\`"(),]+|['\`"]`,
  'g',
);
const CLAUSE = new RegExp(`^(?:${CLAUSES})$`);
const STEP = '  ';
const LONG_LINE = 72;

/** A statement with a line for each clause and for each term of its conditions, as people write them. */
export function sqlLines(sql: string): string {
  const lines: string[] = [];
  let line = '';
  /** For each parenthesis that is open: whether it holds a statement. */
  const open: boolean[] = [];
  const isStatement = () => open.at(-1) ?? true;
  const indent = () => STEP.repeat(open.filter(Boolean).length);
  const begin = (start: string) => {
    if (line.trim() !== '') lines.push(line.trimEnd());
    line = start;
  };
  const tokens = sql.trim().match(TOKENS) ?? [];
  for (const [at, token] of tokens.entries()) {
    if (CLAUSE.test(token) && isStatement()) begin(indent() + token);
    else if ((token === 'AND' || token === 'OR') && isStatement()) begin(indent() + STEP + token);
    else if (token === '(') {
      line += token;
      const next = tokens.slice(at + 1).find((later) => later.trim() !== '');
      open.push(next === 'SELECT' || next === 'WITH');
    } else if (token === ')') {
      const wasStatement = open.pop() ?? false;
      if (wasStatement) begin(indent());
      line += token;
    } else if (token === ',' && isStatement() && line.length > LONG_LINE) {
      line += token;
      begin(indent() + STEP);
    } else if (token.trim() === '') {
      if (line.trim() !== '') line += ' ';
    } else line += token;
  }
  begin('');
  return lines.join('\n');
}
