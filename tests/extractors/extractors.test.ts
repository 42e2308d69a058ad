import { expect, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { callApi, KNOWN_PASSWORD } from '../support/node-api.ts';
import { startNode } from '../support/node-process.ts';

const PATIENCE = { timeoutMs: 240_000, intervalMs: 200 };

const STATUS = {
  title: 'Status',
  extractor_type: 'regex',
  extractor_config: { regex_value: 'status=(\\d+)' },
  source_field: 'message',
  target_field: 'status',
  cut_or_copy: 'copy',
  converters: { numeric: {} },
  condition_type: 'string',
  condition_value: 'status=',
  order: 0,
};
const TIME = {
  title: 'Time',
  extractor_type: 'grok',
  extractor_config: {
    grok_pattern: '^%{TIMESTAMP_ISO8601:timestamp} %{WORD:method} %{URIPATH:path}',
    named_captures_only: true,
  },
  source_field: 'message',
  target_field: 'timestamp',
  cut_or_copy: 'copy',
  converters: { date: { date_format: 'yyyy-MM-dd HH:mm:ss', time_zone: 'Europe/Berlin' } },
  condition_type: 'none',
  condition_value: '',
  order: 1,
};
const SLOW = {
  ...STATUS,
  title: 'Slow',
  extractor_config: { regex_value: '^(a+)+(x)$' },
  target_field: 'never',
  converters: {},
  condition_type: 'none',
  order: 2,
};

test('extractors made by the API read what their input receives; one that takes for ever hurts only itself', async () => {
  const node = startNode(
    { processing_workers: '1', stream_processing_timeout: '1000', stream_processing_max_faults: '1' },
    { env: KNOWN_PASSWORD },
  );
  try {
    const address = await node.ready();
    const api = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown) => {
      const { status, body: answer } = await callApi(address, method, path, body);
      expect(status, JSON.stringify(answer)).toBeLessThan(300);
      return answer;
    };
    const port = await freePort('tcp');
    const { id: input } = await api('POST', '/system/inputs', {
      title: 'Shop',
      type: 'org.graylog2.inputs.gelf.http.GELFHttpInput',
      global: true,
      configuration: { bind_address: '127.0.0.1', port },
    });
    const extractors = `/system/inputs/${input}/extractors`;
    const send = async (message: string) => {
      const body = JSON.stringify({ version: '1.1', host: 'mill', short_message: message });
      const { status } = await fetch(`http://127.0.0.1:${port}/gelf`, { method: 'POST', body });
      expect(status).toBe(202);
    };
    const found = async (query: string): Promise<Record<string, unknown>[]> => {
      const range = 'from=2026-01-01T00:00:00.000Z&to=2030-01-01T00:00:00.000Z';
      const path = `/search/universal/absolute?${range}&query=${encodeURIComponent(query)}`;
      const { messages } = await api('GET', path);
      return messages.map(({ message }: { message: Record<string, unknown> }) => message);
    };

    await api('POST', extractors, STATUS);
    await api('POST', extractors, TIME);
    const { extractor_id: slow } = await api('POST', extractors, SLOW);

    // With one worker, the first message that has the fields proves that all later ones will.
    await eventually(async () => {
      await send('2026-07-01 12:00:00 GET /ready status=200');
      expect(await found('path:"/ready"')).not.toEqual([]);
    }, PATIENCE);
    await send('2026-07-01 12:30:00 GET /shop status=404');
    const [message] = await eventually(async () => {
      const messages = await found('status:404');
      expect(messages).toHaveLength(1);
      return messages;
    }, PATIENCE);
    expect(message).toMatchObject({
      status: 404,
      method: 'GET',
      path: '/shop',
      timestamp: '2026-07-01T10:30:00.000Z',
      source: 'mill',
    });
    expect(message).not.toHaveProperty('gl2_processing_error');

    for (let count = 0; count < 3; count++) await send(`${'a'.repeat(40)} status=500`);
    await eventually(async () => expect(await found('status:500')).toHaveLength(3), PATIENCE);
    await eventually(async () => {
      const { disabled_reason } = await api('GET', `${extractors}/${slow}`);
      expect(disabled_reason).toContain('It took longer than 1000 ms');
    }, PATIENCE);
    const { notifications } = await api('GET', '/system/notifications');
    expect(notifications).toContainEqual(expect.objectContaining({ type: 'extractor_disabled', key: slow }));
    await eventually(async () => {
      const { extractors: all } = await api('GET', extractors);
      expect(all[0].metrics.condition_hits).toBeGreaterThan(4);
    }, PATIENCE);

    await api('DELETE', `/system/inputs/${input}`);
    expect((await callApi(address, 'GET', extractors)).status).toBe(404);
  } finally {
    node.kill();
    await node.exited();
  }
}, 600_000);
