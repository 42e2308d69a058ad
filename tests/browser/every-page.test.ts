import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { whyNoBrowser } from '../support/browser.ts';
import { callApi } from '../support/node-api.ts';
import { nodeInBrowser } from '../support/node-in-browser.ts';
import { tooWide } from '../support/too-wide.ts';

const noBrowser = whyNoBrowser();

/** Every address of the router that names no object, so that a new page cannot be forgotten. */
const ROUTES = new URL('../../packages/web/src/app/routes.tsx', import.meta.url);
const ADDRESSES = [...fs.readFileSync(ROUTES, 'utf8').matchAll(/ path: '(\/[^'$]*)'/g)]
  .map(([, address]) => address ?? '')
  .filter((address) => !['/login', '/-/components'].includes(address));

/** Where the things of `createHostileThings` are listed. */
const LISTS = new Set([
  '/streams',
  '/inputs',
  '/outputs',
  '/index-sets',
  '/alerts/conditions',
  '/alerts/notifications',
  '/pipelines',
  '/pipelines/rules',
  '/pipelines/lookup',
  '/users',
  '/roles',
]);

for (const each of LISTS) if (!ADDRESSES.includes(each)) throw new Error(`there is no page ${each}`);

describe.skipIf(noBrowser)(`every page in Chromium${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  const site = nodeInBrowser();

  // The files of the build may need each other in circles, which fails only in a browser, and depends on which comes first.
  test('opens by its address, as the first page and after others', { timeout: 300_000 }, async () => {
    expect(ADDRESSES.length).toBeGreaterThan(20);
    const { page, complaints } = await site.open('/');
    for (const each of ADDRESSES) {
      await page.goto(each);
      await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
      expect(await page.getByRole('alert').allTextContents(), each).toEqual([]);
      await page.getByRole('link', { name: 'Help for this page' }).first().waitFor();
      expect(complaints, each).toEqual([]);
    }
    await page.context().close();
  });

  test('is not wider than the screen, on a phone too, whatever things are called', {
    timeout: 600_000,
  }, async () => {
    await createHostileThings(site.address);
    const { page, complaints } = await site.open('/');
    const wide: string[] = [];
    for (const each of ADDRESSES) {
      // Opened on the phone, where width is scarce; the large screen is tried without loading it all again.
      await page.setViewportSize({ width: 390, height: 800 });
      await page.goto(each);
      await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
      // Lists are read from the server after the heading is there.
      if (LISTS.has(each))
        await page
          .getByText(/<img src=x|xxxxxxxx/)
          .first()
          .waitFor();
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        await page.evaluate(DRAWN_AGAIN);
        wide.push(...(await tooWide(page)).map((what) => `${each} at ${width}: ${what}`));
      }
    }
    expect(wide).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

/** What depends on the width has been told of it in the first frame, and is drawn in the second. */
const DRAWN_AGAIN = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

/** One of each kind, with the longest title it may have, in which no line can break. */
async function createHostileThings(address: string): Promise<void> {
  const start = '<img src=x onerror=alert(1)>🦊\u202eevil';
  const title = start + 'x'.repeat(200 - start.length);
  const create = async (path: string, body: object) => {
    const answer = await callApi(address, 'POST', path, body);
    expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  };
  const [indexSet] = (await callApi(address, 'GET', '/system/indices/index_sets')).body.index_sets;
  const { id: _, default: __, ...settings } = indexSet;
  await create('/system/indices/index_sets', { ...settings, title, index_prefix: 'hostile' });
  const stream = { title, description: title, rules: [], index_set_id: indexSet.id };
  const { stream_id: streamId } = await create('/streams', stream);
  await create(`/streams/${streamId}/resume`, {});
  const configuration = { bind_address: '127.0.0.1', port: 0 };
  await create('/system/inputs', { title, type: 'gelf-tcp', global: true, configuration });
  await create('/system/outputs', { title, type: 'http', configuration: { url: 'http://127.0.0.1:1/' } });
  const condition = { type: 'message_count', title, parameters: { threshold: 0, time: 60 } };
  await create(`/streams/${streamId}/alerts/conditions`, condition);
  const channel = {
    type: 'org.graylog2.alarmcallbacks.HTTPAlarmCallback',
    title,
    configuration: { url: 'http://127.0.0.1:1/' },
  };
  await create(`/streams/${streamId}/alarmcallbacks`, channel);
  await create('/system/pipelines/rule', { source: `rule "${title}" when true then end` });
  await create('/system/pipelines/pipeline', { source: `pipeline "${title}" stage 0 match all end` });
  const adapter = {
    name: 'hostile',
    title,
    config: { type: 'static', entries: [{ key: title, value: title }] },
  };
  const { id: data_adapter_id } = await create('/system/lookup/adapters', adapter);
  const cache = { name: 'hostile', title, config: { type: 'none' } };
  const { id: cache_id } = await create('/system/lookup/caches', cache);
  await create('/system/lookup/tables', { name: 'hostile', title, data_adapter_id, cache_id });
  await create('/roles', { name: title.slice(0, 100), permissions: [] });
  const name = 'x'.repeat(100);
  const person = {
    first_name: name,
    last_name: name,
    email: `${'x'.repeat(60)}@example.org`,
    permissions: [],
    roles: [],
  };
  await create('/users', { ...person, username: name, password: 'a long password' });
}
