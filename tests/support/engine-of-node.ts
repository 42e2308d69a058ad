import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';

/** Queries the embedded ClickHouse of a node directly, past the program. Has no timeout. */
export async function askEngine<Row>(dataDir: string, sql: string): Promise<Row[]> {
  const directory = path.join(dataDir, 'clickhouse');
  const password = fs.readFileSync(path.join(directory, 'password'), 'utf8').trim();
  const port = /<http_port>(\d+)/.exec(fs.readFileSync(path.join(directory, 'engine.xml'), 'utf8'))?.[1];
  const { status, body } = await post(Number(port), password, sql);
  if (status !== 200) throw new Error(body);
  return body.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Row]));
}

/** Not with `fetch`, which gives up after five minutes. */
function post(port: number, password: string, sql: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const request = http.request({
      host: '127.0.0.1',
      port,
      path: '/?default_format=JSONEachRow',
      method: 'POST',
      auth: `millrace:${password}`,
    });
    request.on('error', reject);
    request.on('response', (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
    });
    request.end(sql);
  });
}

/** The process of that ClickHouse; undefined if none was started yet. */
export function enginePid(dataDir: string): number | undefined {
  try {
    return JSON.parse(fs.readFileSync(path.join(dataDir, 'clickhouse', 'engine.pid'), 'utf8')).pid;
  } catch {
    return undefined;
  }
}
