import { expect, test } from 'vitest';
import { requireEngineVersion } from './engine-version.ts';

function serverOf(version: string | undefined) {
  return {
    url: 'http://ch-1:8123',
    query: async <Row>() => (version === undefined ? [] : [{ version }]) as Row[],
  };
}

test.each(['26.7.1.1', '26.7.3.9-stable', '26.12.1.1', '27.1.2.3', 'head', undefined])(
  'version %s is used',
  async (version) => {
    await expect(requireEngineVersion(serverOf(version))).resolves.toBeUndefined();
  },
);

test.each(['26.6.9.33', '25.12.1.1', '24.8.14.39'])(
  'version %s is refused, and what helps is named',
  async (version) => {
    await expect(requireEngineVersion(serverOf(version))).rejects.toThrow(
      `the ClickHouse server http://ch-1:8123 has version ${version}, and Millrace needs 26.7 or newer: update it`,
    );
  },
);
