import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InvalidError } from '#core/index.ts';
import { aUser, type MetadataBackend, openEmpty } from '#testing/metadata-backend.ts';

const ODD_TEXTS = [
  "Robert'); drop table users;--",
  `" or ""="`,
  '$1 ? :name @p %s \\ \\\\ %',
  "''''",
  'line\nfeed\r\ttab \u0001\u001b[31m',
  'ÄÖÜß İıŞ',
  '日本語 한국어 עברית',
  '👩‍👩‍👧 \u{10ffff}',
  'e\u0301 and é',
  ' spaces at both ends ',
  'x'.repeat(100_000),
];

export function valuesSuite(backend: MetadataBackend): void {
  describe('values', () => {
    test.each(ODD_TEXTS)('text is stored unchanged: %j', async (text) => {
      const { repositories } = await openEmpty(backend);
      const user = await repositories.users.insert(
        aUser({
          username: text.slice(0, 500),
          fullName: text,
          permissions: [text],
          preferences: { [text]: text },
        }),
      );
      const read = await repositories.users.findByUsername(text.slice(0, 500));
      expect(read).toEqual(user);
      expect(read).toMatchObject({ fullName: text, permissions: [text], preferences: { [text]: text } });
      await repositories.clusterSettings.set(text.slice(0, 500), text);
      expect(await repositories.clusterSettings.find(text.slice(0, 500))).toBe(text);
    });

    test('any JSON is returned unchanged', async () => {
      const { repositories } = await openEmpty(backend);
      await fc.assert(
        fc.asyncProperty(fc.jsonValue({ noUnicodeString: false }), async (value) => {
          await repositories.clusterSettings.set('any', value);
          expect(await repositories.clusterSettings.find('any')).toEqual(JSON.parse(JSON.stringify(value)));
        }),
        { numRuns: 60 },
      );
    });

    test('a NUL character is allowed in JSON and refused elsewhere; the error shows the text', async () => {
      const { repositories } = await openEmpty(backend);
      await repositories.clusterSettings.set('json', 'a\0b');
      expect(await repositories.clusterSettings.find('json')).toBe('a\0b');
      const refused = repositories.users.findByUsername('an\0na');
      await expect(refused).rejects.toBeInstanceOf(InvalidError);
      await expect(refused).rejects.toThrow(String.raw`"an\u0000na"`);
      await expect(repositories.users.insert(aUser({ email: '\0' }))).rejects.toBeInstanceOf(InvalidError);
      expect(await repositories.users.list()).toEqual([]);
    });

    test('two megabytes of JSON can be stored', async () => {
      const { repositories } = await openEmpty(backend);
      const big = { rows: Array.from({ length: 20_000 }, (_, row) => ({ row, text: 'ä'.repeat(40) })) };
      await repositories.clusterSettings.set('big', big);
      expect(await repositories.clusterSettings.find('big')).toEqual(big);
    });

    test('times are exact to the millisecond, up to the largest safe integer', async () => {
      const { repositories } = await openEmpty(backend);
      for (const lastSeen of [0, 1_767_225_600_123, Number.MAX_SAFE_INTEGER]) {
        const node = {
          nodeId: 'n',
          hostname: 'h',
          transportAddress: 'http://127.0.0.1:9000/api/',
          version: '1',
          startedAt: 1,
          lastSeen,
          isLeader: false,
          details: {},
        };
        await repositories.nodes.upsert(node);
        expect(await repositories.nodes.find('n')).toEqual(node);
      }
    });

    test('text sorts by code point in every database', async () => {
      const { repositories } = await openEmpty(backend);
      const keys = ['b', 'B', 'a', 'A', 'ä', 'z', 'Z', '_', '1', '-', 'é', '日', '\u{1f600}', 'a b', 'ab'];
      for (const key of keys) await repositories.clusterSettings.set(key, 1);
      const sorted = [...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      expect([...(await repositories.clusterSettings.listByPrefix('')).keys()]).toEqual(sorted);
    });
  });
}
