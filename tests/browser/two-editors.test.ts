import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { accessibilityProblems } from '../support/accessibility.ts';
import { whyNoBrowser } from '../support/browser.ts';
import { callApi } from '../support/node-api.ts';
import { nodeInBrowser } from '../support/node-in-browser.ts';

const noBrowser = whyNoBrowser();
const LOOKUP = '/system/lookup';
const HTTP = 'org.graylog2.alarmcallbacks.HTTPAlarmCallback';

/** Something that two people edit: a text of it, in the API and in its form. */
interface Edited {
  readonly what: string;
  readonly page: string;
  /** The field, once the form is there. */
  form(page: Page): Promise<Locator>;
  read(): Promise<string>;
  /** As somebody else does it. */
  write(text: string): Promise<void>;
}

describe.skipIf(noBrowser)(`two people edit the same thing${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  const site = nodeInBrowser();
  const get = async (path: string) => (await callApi(site.address, 'GET', path)).body;
  async function post(path: string, body: object) {
    const answer = await callApi(site.address, 'POST', path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  }
  async function put(path: string, body: object) {
    const answer = await callApi(site.address, 'PUT', path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  }
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const textbox = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

  /** A field of something that is replaced as a whole. */
  function whole(path: string, field: string, page: Pick<Edited, 'what' | 'page' | 'form'>): Edited {
    return {
      ...page,
      read: async () => (await get(path))[field],
      async write(text) {
        const { revision: _, ...stored } = await get(path);
        await put(path, { ...stored, [field]: text });
      },
    };
  }

  async function lookupParts(name: string) {
    const config = { type: 'static', entries: [{ key: 'a', value: 'b' }] };
    const adapter = await post(`${LOOKUP}/adapters`, { name, title: `Adapter ${name}`, config });
    const cache = await post(`${LOOKUP}/caches`, {
      name,
      title: `Cache ${name}`,
      config: { type: 'none' },
    });
    return { data_adapter_id: adapter.id, cache_id: cache.id };
  }

  async function lookupPart(kind: 'adapters' | 'caches', name: string): Promise<Edited> {
    await lookupParts(name);
    const title = `${kind === 'adapters' ? 'Adapter' : 'Cache'} ${name}`;
    return whole(`${LOOKUP}/${kind}/${name}`, 'description', {
      what: kind === 'adapters' ? 'data adapter' : 'cache',
      page: `/pipelines/lookup?kind=${kind}`,
      async form(page) {
        await press(page, title);
        return textbox(page, 'Description');
      },
    });
  }

  async function lookupTable(name: string): Promise<Edited> {
    const table = { name, title: `Table ${name}`, ...(await lookupParts(name)) };
    await post(`${LOOKUP}/tables`, table);
    return {
      what: 'lookup table',
      page: '/pipelines/lookup',
      async form(page) {
        await press(page, table.title);
        return textbox(page, 'Description');
      },
      read: async () => (await get(`${LOOKUP}/tables/${name}`)).lookup_tables[0].description,
      write: (description) => put(`${LOOKUP}/tables/${name}`, { ...table, description }),
    };
  }

  async function grokPattern(name: string): Promise<Edited> {
    const { id } = await post('/system/grok', { name, pattern: 'first' });
    return whole(`/system/grok/${id}`, 'pattern', {
      what: 'pattern',
      page: `/pipelines/grok?find=${name}`,
      async form(page) {
        await press(page, name);
        return page.getByLabel('Pattern', { exact: true });
      },
    });
  }

  async function condition(title: string): Promise<Edited> {
    const { stream_id } = await post('/streams', { title: `Of ${title}` });
    const path = `/streams/${stream_id}/alerts/conditions`;
    const { alert_condition_id: id } = await post(path, {
      type: 'message_count',
      title,
      parameters: {},
    });
    return {
      what: 'condition',
      page: `/alerts/conditions/${id}`,
      form: async (page) => textbox(page, 'Title'),
      read: async () => (await get(`${path}/${id}`)).title,
      write: (text) => put(`${path}/${id}`, { title: text }),
    };
  }

  async function channelOfStream(title: string): Promise<Edited> {
    const { stream_id } = await post('/streams', { title: `Of ${title}` });
    const path = `/streams/${stream_id}/alarmcallbacks`;
    const { alarmcallback_id: id } = await post(path, {
      type: HTTP,
      title,
      configuration: { url: 'http://127.0.0.1:9/' },
    });
    return whole(`${path}/${id}`, 'title', {
      what: 'notification',
      page: `/alerts/notifications/${id}`,
      form: async (page) => textbox(page, 'Title'),
    });
  }

  async function channelOfRules(title: string): Promise<Edited> {
    const config = { type: 'http-notification-v1', url: 'http://127.0.0.1:9/' };
    const { id } = await post('/events/notifications', { title, description: 'Kept', config });
    return whole(`/events/notifications/${id}`, 'title', {
      what: 'notification',
      page: `/alerts/notifications/${id}`,
      form: async (page) => textbox(page, 'Title'),
    });
  }

  // The question looks the same everywhere: axe looks at it once over a form of a list, once over one that is a page.
  test.each<[string, () => Promise<Edited>, look?: 'look']>([
    ['lookup table', () => lookupTable('shared-table'), 'look'],
    ['data adapter', () => lookupPart('adapters', 'shared-adapter')],
    ['cache', () => lookupPart('caches', 'shared-cache')],
    ['grok pattern', () => grokPattern('SHARED')],
    ['alert condition', () => condition('Shared'), 'look'],
    ['notification of a stream', () => channelOfStream('Shared')],
    ['notification of rules', () => channelOfRules('Shared')],
  ])('the second is asked, and keeps what was typed until then: %s', async (_, make, look) => {
    const edited = await make();
    const { page, complaints } = await site.open(edited.page);
    const field = await edited.form(page);
    const conflict = page.getByText(`Somebody else has changed this ${edited.what} since you opened it.`);
    await field.fill('mine');
    await edited.write('theirs');
    await press(page, 'Save');
    await conflict.waitFor();
    expect(await field.inputValue()).toBe('mine');
    expect(await edited.read()).toBe('theirs');
    if (look) expect(await accessibilityProblems(page)).toEqual([]);
    await press(page, 'Reload theirs');
    await conflict.waitFor({ state: 'detached' });
    await eventually(async () => expect(await field.inputValue()).toBe('theirs'));
    // The button that was pressed is gone: the focus is where the form goes on.
    await page.getByRole('button', { name: 'Save', exact: true }).and(page.locator(':focus')).waitFor();

    await field.fill('mine again');
    await edited.write('theirs again');
    await press(page, 'Save');
    await conflict.waitFor();
    // What is typed after the question is stored, too.
    await field.fill('mine after all');
    await press(page, 'Overwrite with mine');
    await eventually(async () => expect(await edited.read()).toBe('mine after all'));
    await conflict.waitFor({ state: 'detached' });
    expect(complaints.filter((line) => !line.includes('409'))).toEqual([]);
  });

  test('a notification keeps the description that its form does not show', async () => {
    const edited = await channelOfRules('Described');
    const { page } = await site.open(edited.page);
    const field = await edited.form(page);
    await field.fill('Described anew');
    await press(page, 'Save');
    await eventually(async () => expect(await edited.read()).toBe('Described anew'));
    const id = edited.page.split('/').at(-1);
    expect((await get(`/events/notifications/${id}`)).description).toBe('Kept');
  });

  test('what is stored now cannot be read: the page says so, and what was typed stays', async () => {
    const { id } = await post('/system/outputs', {
      title: 'Unreadable',
      type: 'org.graylog2.outputs.GelfOutput',
      configuration: { hostname: '127.0.0.1', port: 9, protocol: 'TCP' },
    });
    const { page } = await site.open(`/outputs/${id}?tab=settings`);
    const title = textbox(page, 'Title');
    await title.fill('mine');
    await put(`/system/outputs/${id}`, { title: 'theirs' });
    await press(page, 'Save');
    await page.getByText('Somebody else has changed this output since you opened it.').waitFor();
    const failing = await failReads(page, `/api/system/outputs/${id}`);
    await press(page, 'Reload theirs');
    await page.getByRole('alert').getByText('It is being repaired.').waitFor();
    expect(await title.inputValue()).toBe('mine');
    await failing.stop();
    await press(page, 'Reload theirs');
    await eventually(async () => expect(await title.inputValue()).toBe('theirs'));
  });

  test('saved, but not read again: the page says so in words, for inputs, users and notifications', async () => {
    const { id } = await post('/system/inputs', {
      title: 'Saved input',
      type: 'org.graylog2.inputs.gelf.tcp.GELFTCPInput',
      global: true,
      configuration: { bind_address: '127.0.0.1', port: 0 },
    });
    await post('/users', {
      username: 'saved',
      full_name: 'Saved user',
      email: 'saved@example.org',
      password: 'reader-river',
      roles: ['Reader'],
    });
    const channel = await channelOfRules('Saved channel');
    const channelId = channel.page.split('/').at(-1);
    const cases = [
      { path: `/inputs/${id}?tab=settings`, read: `/api/system/inputs/${id}`, label: 'Title' },
      { path: '/users/saved', read: '/api/users/saved', label: 'Full name' },
      { path: channel.page, read: `/api/events/notifications/${channelId}`, label: 'Title' },
    ];
    for (const { path, read, label } of cases) {
      const { page } = await site.open(path);
      await textbox(page, label).fill('Saved it');
      const failing = await failReads(page, read);
      await press(page, 'Save');
      const notice = page.getByRole('status').filter({ hasText: 'Your change is saved.' });
      await notice.getByText('It is being repaired.').waitFor();
      if (path === channel.page) expect(await accessibilityProblems(page)).toEqual([]);
      const { body } = await callApi(site.address, 'GET', read.replace('/api', ''));
      expect(body.title ?? body.full_name).toBe('Saved it');
      // What is typed now would meet a conflict, and nobody would ask before it is lost.
      expect(await textbox(page, label).isDisabled()).toBe(true);
      expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
      // Neither while it is being tried again.
      const answer = Promise.withResolvers<void>();
      await failing.stop();
      const waiting = await delayReads(page, read, answer.promise);
      await notice.getByRole('button', { name: 'Try again' }).click();
      await waiting.begun;
      expect(await textbox(page, label).isDisabled()).toBe(true);
      answer.resolve();
      await notice.waitFor({ state: 'detached' });
      await textbox(page, label).fill('Saved once more');
      await press(page, 'Save');
      await eventually(async () => {
        const { body: now } = await callApi(site.address, 'GET', read.replace('/api', ''));
        expect(now.title ?? now.full_name).toBe('Saved once more');
      });
    }
  });
});

/** From now on the server answers this only when that is settled. */
async function delayReads(page: Page, path: string, until: Promise<void>) {
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  await page.route(
    (url) => url.pathname === path,
    async (route) => {
      resolve();
      await until;
      await route.continue();
    },
  );
  return { begun };
}

/** From now on the server cannot answer this. */
async function failReads(page: Page, path: string) {
  const matches = (url: URL) => url.pathname === path;
  await page.route(matches, (route) =>
    route.request().method() === 'GET'
      ? route.fulfill({ status: 500, json: { type: 'ApiError', message: 'It is being repaired.' } })
      : route.continue(),
  );
  return { stop: () => page.unroute(matches) };
}
