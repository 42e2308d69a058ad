import { describe, expect, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { accessibilityProblems } from '../support/accessibility.ts';
import { whyNoBrowser } from '../support/browser.ts';
import { lookupPage } from '../support/lookup-page.ts';
import { callApi } from '../support/node-api.ts';
import { nodeInBrowser } from '../support/node-in-browser.ts';
import { tooWide } from '../support/too-wide.ts';
import { hasFocus } from '../support/web-page.ts';

const noBrowser = whyNoBrowser();
const HOSTILE = '<img src=x onerror=alert(1)> 🦊 \u202eevil';
const LOOKUP = '/system/lookup';

describe.skipIf(noBrowser)(`grok patterns and lookup tables${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  const site = nodeInBrowser();
  const open = async (...asked: Parameters<typeof site.open>) => {
    const opened = await site.open(...asked);
    return { ...opened, lookup: lookupPage(opened.page) };
  };

  test('a grok pattern is tried while it is written and saved; two are imported from a text', async () => {
    const { page, complaints, lookup } = await open('/pipelines/grok');
    await lookup.press('New pattern');
    await lookup.fill('Name', 'REQUEST');
    await lookup.fill('Pattern', '%{WORD:verb} %{NOTSPACE:path} %{INT:code:int}');
    await lookup.fill('Try it on a text', 'GET /health 200');
    await page.getByText('verb', { exact: true }).waitFor();
    await page.getByText('/health', { exact: true }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await lookup.press('Create');
    await page.getByText('Pattern REQUEST saved').waitFor();

    await lookup.press('Import');
    await lookup.fill('Patterns', '# ours\nORDER [A-Z]{2}-%{INT:order:int}\nTICKET');
    await page.getByText('Line 3 has no name and pattern.').waitFor();
    await lookup.fill('Patterns', '# ours\nORDER [A-Z]{2}-%{INT:order:int}\nTICKET T%{INT:ticket:int}');
    expect(await accessibilityProblems(page)).toEqual([]);
    await lookup.press('Import 2 patterns');
    await page.getByText('2 patterns imported').waitFor();
    await page.getByLabel('Find a pattern').fill('ticket');
    await lookup.row('TICKET').waitFor();
    expect(complaints).toEqual([]);
  });

  test('what is typed into a form is not lost by another row, a question or another form', async () => {
    const { page, complaints, lookup } = await open('/pipelines/grok');
    const asked = page.getByRole('dialog', { name: 'Leave without saving?' });
    const pattern = page.getByLabel('Pattern', { exact: true });
    await lookup.press('BASE10NUM');
    await pattern.fill('typed');
    await lookup.press('BASE16NUM');
    await asked.waitFor();
    await lookup.press('Stay');
    await asked.waitFor({ state: 'hidden' });
    await lookup.press('Delete BASE10NUM');
    const question = page.getByRole('form', { name: 'Delete the pattern BASE10NUM?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'hidden' });
    expect(await pattern.inputValue()).toBe('typed');
    await lookup.press('BASE16NUM');
    await asked.getByRole('button', { name: 'Leave' }).click();
    await asked.waitFor({ state: 'hidden' });
    expect(await pattern.inputValue()).toContain('0x');
    await lookup.press('Cancel');

    await lookup.press('New pattern');
    await lookup.fill('Name', 'HALF');
    await lookup.press('Import');
    await asked.waitFor();
    await lookup.press('Stay');
    await asked.waitFor({ state: 'hidden' });
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('HALF');
    await lookup.press('Cancel');

    await lookup.press('Import');
    await lookup.fill('Patterns', 'LAST x');
    await lookup.choose('Names that exist already', 'delete all patterns first');
    await lookup.press('Import 1 pattern');
    const drop = page.getByRole('form', {
      name: /^Delete \d+ stored patterns and import 1 pattern instead\?$/,
    });
    await drop.waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await drop.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'BASE10NUM', exact: true }).waitFor();
    await lookup.openTab('Lookup tables');
    await asked.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL('**/pipelines/lookup');
    expect(complaints).toEqual([]);
  });

  test('a static map, a cache and a table find a value; what does not work says why', async () => {
    const { page, complaints, lookup } = await open('/pipelines/lookup', { colorScheme: 'dark' });
    await page.getByText('There is no lookup table').waitFor();
    await lookup.show('Data adapters');
    await lookup.press('New data adapter');
    await lookup.choose('Type', 'Static map');
    await lookup.press('Create');
    await page.getByText('This is needed.').waitFor();
    await lookup.fill('Title', 'Owners of hosts');
    await lookup.press('Add a row to Entries');
    await lookup.fill('Key 1', 'web-1');
    await lookup.fill('Value 1', 'Ann');
    expect(await accessibilityProblems(page)).toEqual([]);
    // What is not saved is not lost by a click on another page.
    await lookup.openTab('Grok patterns');
    await page.getByText('Leave without saving?').waitFor();
    await lookup.press('Stay');
    await lookup.press('Create');
    await page.getByText('Owners of hosts saved').waitFor();
    await lookup.row('owners-of-hosts').getByText('works').waitFor();

    await lookup.press('New data adapter');
    await lookup.choose('Type', 'CSV file');
    await lookup.fill('Title', 'Missing');
    await lookup.fill('File', 'gone.csv');
    await lookup.fill('Key column', 'key');
    await lookup.fill('Value column', 'value');
    await lookup.press('Create');
    await lookup.row('Missing').getByText('fails').waitFor();
    await lookup.row('Missing').getByText('there is no file').waitFor();

    await lookup.show('Caches');
    await lookup.press('New cache');
    await lookup.fill('Title', 'No cache');
    await lookup.press('Create');
    await lookup.row('no-cache').getByText('works').waitFor();

    await lookup.show('Tables');
    await lookup.press('New lookup table');
    await lookup.fill('Title', 'Owners');
    await lookup.choose('Data adapter', 'Owners of hosts');
    await lookup.choose('Cache', 'No cache');
    await lookup.press('Create');
    await lookup.press('Owners');
    await lookup.lookUp('web-1');
    await page.getByText('"Ann"').first().waitFor();
    await lookup.lookUp('web-2');
    await page.getByText('There is no value for this key.').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('forms go to the field that is wrong; a name is there once; a stored secret stays', async () => {
    const { page, complaints, lookup } = await open('/pipelines/lookup?kind=adapters');
    await lookup.press('New data adapter');
    await lookup.choose('Type', 'HTTP JSONPath');
    await lookup.press('Create');
    await hasFocus(page, page.getByRole('textbox', { name: 'Title', exact: true }));
    await lookup.fill('Title', 'Assets');
    await lookup.press('Create');
    await hasFocus(page, page.getByRole('textbox', { name: 'URL', exact: true }));
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what people write.
    await lookup.fill('URL', 'http://127.0.0.1:9/hosts/${key}');

    const headers = page.getByRole('group', { name: 'Headers', exact: true });
    await lookup.press('Add a row to Headers');
    await headers.getByLabel('Name 1').fill('X-Site');
    await headers.getByLabel('Value 1').fill('berlin');
    await lookup.press('Add a row to Headers');
    await headers.getByLabel('Name 2').fill('X-Site');
    await headers.getByText('Another row has this name.').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await lookup.press('Create');
    await hasFocus(page, headers.getByLabel('Name 2'));
    await headers.getByLabel('Name 2').fill('X-Zone');
    await headers.getByText('Another row has this name.').waitFor({ state: 'detached' });
    const secrets = page.getByRole('group', { name: 'Secret headers', exact: true });
    await lookup.press('Add a row to Secret headers');
    await secrets.getByLabel('Name 1').fill('Authorization');
    await secrets.getByLabel('Value 1').fill('Bearer river');
    await lookup.press('Create');
    // What only the server knows is said in the cell, too.
    await headers.getByText('must be a text of at least 1 character, not ""').waitFor();
    await hasFocus(page, headers.getByLabel('Value 2'));
    await headers.getByLabel('Value 2').fill('north');
    await lookup.press('Create');
    await page.getByText('Assets saved').waitFor();

    await lookup.press('Assets');
    await secrets.getByLabel('Value 1').fill('typed by mistake');
    await secrets.getByLabel('Value 1').fill('');
    await lookup.fill('User agent', 'Mill');
    await lookup.press('Save');
    await page.getByText('Assets saved').last().waitFor();
    await eventually(async () => {
      const { body } = await callApi(site.address, 'GET', `${LOOKUP}/adapters/assets`);
      expect(body.config).toMatchObject({
        user_agent: 'Mill',
        headers: { 'X-Site': 'berlin', 'X-Zone': 'north' },
        secret_headers: [{ name: 'Authorization', value: '<password set>' }],
      });
    });

    // A name that is taken is marked until another one stands there.
    await lookup.press('New data adapter');
    await lookup.choose('Type', 'Static map');
    await lookup.fill('Title', 'Assets');
    await lookup.press('Create');
    const taken = page.getByRole('textbox', { name: 'Name', exact: true });
    await taken.and(page.locator('[aria-invalid="true"]')).waitFor();
    await taken.fill('assets-again');
    await taken.and(page.locator('[aria-invalid="true"]')).waitFor({ state: 'detached' });
    expect(complaints.filter((text) => !text.includes('status of 400'))).toEqual([]);
  });

  test('settings stay for the way back when another type is looked at', async () => {
    const { page, complaints, lookup } = await open('/pipelines/lookup?kind=adapters');
    await lookup.press('New data adapter');
    await lookup.choose('Type', 'CSV file');
    await lookup.fill('Title', 'Half typed');
    await lookup.fill('Description', 'stays, too');
    await lookup.fill('File', 'half.csv');
    await lookup.choose('Type', 'Static map');
    await hasFocus(page, page.getByRole('combobox', { name: 'Type', exact: true }));
    await lookup.press('Add a row to Entries');
    await lookup.fill('Key 1', 'web-1');
    await lookup.choose('Type', 'CSV file');
    const value = (label: string) => page.getByLabel(label, { exact: true }).inputValue();
    expect(await value('File')).toBe('half.csv');
    expect(await value('Title')).toBe('Half typed');
    expect(await value('Name')).toBe('half-typed');
    expect(await value('Description')).toBe('stays, too');
    await lookup.choose('Type', 'Static map');
    expect(await value('Key 1')).toBe('web-1');
    // What is wrong is said about the type that was sent, and no other.
    await lookup.press('Create');
    await page.locator('[aria-invalid="true"]').first().waitFor();
    await lookup.choose('Type', 'CSV file');
    await page.locator('[aria-invalid="true"]').waitFor({ state: 'detached' });
    expect(complaints.filter((text) => !text.includes('status of 400'))).toEqual([]);
  });

  test('adapters and caches are found by the server when there are more than a list shows', async () => {
    const name = (at: number) => `many-${String(at).padStart(3, '0')}`;
    for (let at = 0; at < 120; at += 1) {
      const part = { name: name(at), title: `Many ${name(at)}`, config: { type: 'none' } };
      expect((await callApi(site.address, 'POST', `${LOOKUP}/caches`, part)).status).toBe(200);
    }
    const { page, complaints, lookup } = await open('/pipelines/lookup');
    await lookup.press('New lookup table');
    await page.getByText(/^\d+ more: type to find them\.$/).waitFor();
    const cache = page.getByRole('combobox', { name: 'Cache', exact: true });
    await cache.fill('many 119');
    await page.getByRole('option', { name: 'Many many-119' }).click();
    expect(await cache.inputValue()).toBe('Many many-119');
    await lookup.press('Create');
    await page.getByText('This is needed.').first().waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('every type has a form', async () => {
    const { body: types } = await callApi(site.address, 'GET', `${LOOKUP}/types/adapters`);
    const { page, complaints, lookup } = await open('/pipelines/lookup?kind=adapters');
    await lookup.press('New data adapter');
    for (const { name, description } of Object.values<{ name: string; description: string }>(types)) {
      await lookup.choose('Type', name);
      await page.getByText(description, { exact: true }).waitFor();
      expect(await page.locator('input[value*="[object"]').count()).toBe(0);
      expect(await accessibilityProblems(page)).toEqual([]);
    }
    expect(complaints).toEqual([]);
  });

  test('hostile titles are text; a reader sees what it may, on a phone', async () => {
    const config = { type: 'static', entries: [{ key: 'a', value: HOSTILE }] };
    await callApi(site.address, 'POST', `${LOOKUP}/adapters`, { name: 'bad', title: HOSTILE, config });
    await callApi(site.address, 'POST', `${LOOKUP}/caches`, {
      name: 'bad',
      title: HOSTILE,
      config: { type: 'none' },
    });
    const parts = { data_adapter_id: 'bad', cache_id: 'bad' };
    await callApi(site.address, 'POST', `${LOOKUP}/tables`, { name: 'bad', title: HOSTILE, ...parts });
    await callApi(site.address, 'POST', '/users', {
      username: 'lou',
      email: 'lou@example.org',
      full_name: 'lou',
      password: 'reader-river',
      roles: ['Reader'],
      permissions: ['lookuptables:read', 'inputs:read'],
    });
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;
    const reader = await open('/pipelines/lookup', phone, 'lou', 'reader-river');
    const wide = () => tooWide(reader.page);
    await reader.page.getByRole('button', { name: HOSTILE, exact: true }).click();
    await reader.lookup.lookUp('a');
    await reader.page.getByRole('status').filter({ hasText: '<img src=x onerror=alert(1)>' }).waitFor();
    await reader.page.getByRole('button', { name: 'Save', exact: true }).waitFor();
    expect(await wide()).toEqual([]);
    expect(await accessibilityProblems(reader.page)).toEqual([]);
    await reader.lookup.show('Data adapters');
    await reader.page.getByRole('button', { name: HOSTILE, exact: true }).waitFor();
    await reader.lookup.openTab('Grok patterns');
    await reader.page.getByRole('button', { name: 'BASE10NUM', exact: true }).click();
    await reader.page.getByLabel('Try it on a text').fill('7');
    await reader.page.getByText('the whole match').waitFor();
    expect(await wide()).toEqual([]);
    expect(await accessibilityProblems(reader.page)).toEqual([]);
    expect(await reader.page.getByRole('tab', { name: 'Rules' }).count()).toBe(0);
    // The rail leads to the first page of these that may be read.
    await reader.page.goto('/pipelines');
    await reader.page.waitForURL('**/pipelines/grok');
    expect([reader.forbidden, reader.complaints]).toEqual([[], []]);
  });
});
