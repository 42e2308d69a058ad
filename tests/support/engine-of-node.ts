import fs from 'node:fs';
import path from 'node:path';

/** Rows straight from the embedded ClickHouse of a node, behind the back of the program. */
export async function askEngine<Row>(dataDir: string, sql: string): Promise<Row[]> {
  const directory = path.join(dataDir, 'clickhouse');
  const password = fs.readFileSync(path.join(directory, 'password'), 'utf8').trim();
  const port = /<http_port>(\d+)/.exec(fs.readFileSync(path.join(directory, 'engine.xml'), 'utf8'))?.[1];
  const answer = await fetch(`http://127.0.0.1:${port}/?default_format=JSONEachRow`, {
    method: 'POST',
    headers: { 'x-clickhouse-user': 'millrace', 'x-clickhouse-key': password },
    body: sql,
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Row]));
}

/** The process of that ClickHouse; undefined when none was started yet. */
export function enginePid(dataDir: string): number | undefined {
  try {
    return JSON.parse(fs.readFileSync(path.join(dataDir, 'clickhouse', 'engine.pid'), 'utf8')).pid;
  } catch {
    return undefined;
  }
}
