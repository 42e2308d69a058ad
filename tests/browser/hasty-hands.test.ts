import type { Page, Request } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { accessibilityProblems } from '../support/accessibility.ts';
import { whyNoBrowser } from '../support/browser.ts';
import { callApi } from '../support/node-api.ts';
import { nodeInBrowser } from '../support/node-in-browser.ts';
import { hasFocus, loginForm, openWatchedPage } from '../support/web-page.ts';

const noBrowser = whyNoBrowser();

/** Requests to this address wait until they are let go. */
async function hold(page: Page, address: string | RegExp) {
  const held = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await held.promise;
    await route.fallback();
  });
  return () => held.resolve();
}

describe.skipIf(noBrowser)(`hasty hands in Chromium${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  const site = nodeInBrowser();
  const titled = async (path: string, list: 'inputs' | 'streams', title: string) => {
    const { body } = await callApi(site.address, 'GET', path);
    return body[list].filter((each: { readonly title: string }) => each.title === title);
  };

  test('a form that is sent twice while the server is asked is stored once', async () => {
    const { page } = await site.open('/inputs/new');
    await page.getByLabel('Title').fill('Pressed twice');
    await page.getByLabel('Port', { exact: true }).fill('0');
    const letGo = await hold(page, '**/validate');
    await page.getByRole('button', { name: 'Start' }).dblclick();
    letGo();
    await page.getByRole('heading', { level: 1, name: 'Pressed twice' }).waitFor();
    expect(await titled('/system/inputs', 'inputs', 'Pressed twice')).toHaveLength(1);
  });

  test('a stream that is saved twice, or again because it could not be started, is stored once', async () => {
    const { page } = await site.open('/streams/new');
    await page.getByLabel('Title').fill('Saved twice');
    const letGo = await hold(page, '**/api/streams');
    await page.getByRole('button', { name: 'Save paused' }).dblclick();
    letGo();
    await page.getByRole('heading', { level: 1, name: 'Saved twice' }).waitFor();
    expect(await titled('/streams', 'streams', 'Saved twice')).toHaveLength(1);

    await page.goto('/streams/new');
    await page.getByLabel('Title').fill('Started later');
    const refuse = { status: 500, contentType: 'application/json', body: '{"message":"Not this time."}' };
    await page.route('**/resume', (route) => route.fulfill(refuse), { times: 1 });
    await page.getByRole('button', { name: 'Save and start' }).click();
    await page.getByText('Not this time.').waitFor();
    await page.getByRole('button', { name: 'Save and start' }).click();
    await page.getByRole('heading', { level: 1, name: 'Started later' }).waitFor();
    expect(await titled('/streams', 'streams', 'Started later')).toMatchObject([{ disabled: false }]);
  });

  test('a group stays open while its problem is mended; a problem stays until it is, and no longer', async () => {
    const { page } = await site.open('/inputs/new?type=org.graylog2.inputs.gelf.http.GELFHttpInput');
    await page.getByText('Limits', { exact: true }).click();
    const connections = page.locator('input[name=max_connections]');
    await connections.fill('0');
    await page.getByLabel('Title').focus();
    await page.locator('input[name=max_connections][aria-invalid=true]').waitFor();
    await connections.focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('12');
    expect(await connections.inputValue()).toBe('12');

    await page.goto('/alerts/notifications/new?s=*&type=email-notification-v1');
    await page.getByRole('button', { name: 'Create' }).click();
    const nobody = page.getByText('nobody gets the mail');
    await nobody.waitFor();
    const users = page.locator('form').getByLabel('Users');
    const asked = page.locator('form').getByLabel('Title');
    await users.click();
    await asked.click();
    await nobody.waitFor();
    await users.fill('admin');
    await users.press('Enter');
    await asked.click();
    await nobody.waitFor({ state: 'hidden' });

    await page.goto('/index-sets/new');
    await page.getByLabel('Title').fill('Another');
    await page.getByLabel('Prefix of its indices').fill('millrace');
    await page.getByRole('button', { name: 'Create' }).click();
    const conflict = page.getByText(/would conflict with the existing index set prefix/);
    await conflict.waitFor();
    await page.getByLabel('Prefix of its indices').fill('other');
    await conflict.waitFor({ state: 'hidden' });
  });

  test('the number of a stage is typed to its end before the stages are put in order', async () => {
    const { page } = await site.open('/pipelines/new');
    await page.getByRole('button', { name: 'Add a stage' }).click();
    const numbers = page.getByRole('textbox', { name: 'Stage', exact: true });
    const values = async () => Promise.all((await numbers.all()).map((box) => box.inputValue()));
    expect(await values()).toEqual(['0', '1']);
    await numbers.first().focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('25');
    await page.keyboard.press('Enter');
    await eventually(async () => expect(await values()).toEqual(['1', '25']));
    await numbers.first().focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('25');
    await page.getByText('Taken by another stage').waitFor();
    await page.keyboard.press('Enter');
    await eventually(async () => expect(await values()).toEqual(['1', '25']));
  });

  test('a number that is typed behind the zero counts, and one click stores it', async () => {
    const source = 'pipeline "Hasty"\nstage 0 match either\nend';
    const made = await callApi(site.address, 'POST', '/system/pipelines/pipeline', { title: '', source });
    expect(made.status).toBe(200);
    const { page } = await site.open(`/pipelines/${made.body.id}`);
    await page.getByRole('textbox', { name: 'Stage', exact: true }).focus();
    await page.keyboard.press('End');
    await page.keyboard.type('5');
    // It says that nothing has changed until the box is left, which the press of the button does.
    await page.getByRole('button', { name: 'Save', exact: true }).click({ force: true });
    await eventually(async () => {
      const { body } = await callApi(site.address, 'GET', `/system/pipelines/pipeline/${made.body.id}`);
      expect(body.stages.map(({ stage }: { stage: number }) => stage)).toEqual([5]);
    });
  });

  test('the question before an extractor is deleted leaves its form as it is', async () => {
    const { body } = await callApi(site.address, 'POST', '/system/inputs', {
      title: 'With an extractor',
      type: 'org.graylog2.inputs.gelf.http.GELFHttpInput',
      global: true,
      configuration: { bind_address: '127.0.0.1', port: 0 },
    });
    const made = await callApi(site.address, 'POST', `/system/inputs/${body.id}/extractors`, {
      title: 'Status',
      source_field: 'message',
      target_field: 'status',
      cut_or_copy: 'copy',
      condition_type: 'none',
      condition_value: '',
      extractor_type: 'regex',
      extractor_config: { regex_value: 'status=(\\d+)' },
      converters: [],
      order: 0,
    });
    expect(made.status).toBe(201);
    const { page } = await site.open(`/inputs/${body.id}?tab=extractors`);
    await page.getByRole('button', { name: 'Status', exact: true }).click();
    await page.getByRole('textbox', { name: 'Target field' }).fill('code');
    await page.getByRole('button', { name: 'Delete Status' }).click();
    await page.getByRole('button', { name: 'Cancel' }).first().click();
    expect(await page.getByRole('textbox', { name: 'Target field' }).inputValue()).toBe('code');
  });

  test('on a phone Back closes a message that was followed, and following goes on', async () => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
    const { page } = await site.open('/search?q=source:phone', phone);
    await page.getByRole('button', { name: 'Live', exact: true }).tap();
    await page.getByText('Following').waitFor();
    await site.send({ host: 'phone', short_message: 'one that came', timestamp: Date.now() / 1000 });
    await page.getByText('one that came').first().tap();
    const sheet = page.getByRole('dialog', { name: 'Message' });
    await sheet.waitFor();
    await page.goBack();
    await sheet.waitFor({ state: 'hidden' });
    await page.getByText('Following').waitFor();
    await page.getByText('one that came').first().waitFor();
  });

  test('a search that is saved late brings nobody back; it is deleted after a question', async () => {
    const { page } = await site.open('/search?q=late');
    const letGo = await hold(page, '**/api/search/saved');
    await page.keyboard.press('Control+s');
    await page.getByLabel('Title').fill('Late one');
    const isSaving = (request: Request) =>
      request.method() === 'POST' && request.url().endsWith('/search/saved');
    const sent = page.waitForRequest(isSaving);
    await page.getByLabel('Title').press('Enter');
    await sent;
    await page.getByRole('link', { name: 'Inputs' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Inputs' }).waitFor();
    letGo();
    await page.getByText('Saved as Late one').waitFor();
    expect(new URL(page.url()).pathname).toBe('/inputs');

    await page.goto('/search');
    await page.getByRole('button', { name: 'Saved and recent searches' }).click();
    await page.getByRole('button', { name: 'Delete Late one' }).click();
    await page.getByText('Delete the saved search “Late one”?').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete Late one' }).waitFor({ state: 'hidden' });
  });

  test('Enter that was pressed before the palette was there is done when it is', async () => {
    const { page } = await site.open('/streams');
    const letGo = await hold(page, '**/assets/palette-*.js');
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Streams' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('First steps');
    await page.keyboard.press('Enter');
    letGo();
    await page.waitForURL('**/welcome');
  });

  test('what was typed for one type is there again after a look at another, and no question is asked', async () => {
    const { page } = await site.open('/inputs/new?type=org.graylog2.inputs.gelf.http.GELFHttpInput');
    const asked = page.getByRole('dialog', { name: 'Leave without saving?' });
    const type = page.getByRole('combobox', { name: 'Type', exact: true });
    const choose = async (name: RegExp) => {
      await type.click();
      await page.getByRole('option', { name }).first().click();
      await hasFocus(page, type);
    };
    const field = (name: string) => page.locator(`input[name=${name}]`);
    const title = page.getByRole('textbox', { name: 'Title', exact: true });

    // A title that nobody typed follows the type.
    expect(await title.inputValue()).toBe('GELF HTTP');
    await field('port').fill('4711');
    await choose(/^GELF UDP/);
    expect(await title.inputValue()).toBe('GELF UDP');
    expect(await field('port').inputValue()).toBe('12201');
    await title.fill('Typed');
    await choose(/^GELF HTTP/);
    expect(await field('port').inputValue()).toBe('4711');
    expect(await title.inputValue()).toBe('Typed');
    // What the server says is about the type that was sent, whichever one is looked at by then.
    const held = Promise.withResolvers<void>();
    const refusal = { status: 500, contentType: 'application/json', body: '{"message":"The disk is full."}' };
    const inputs = '**/api/system/inputs';
    await page.route(inputs, async (route) => {
      await held.promise;
      await route.fulfill(refusal);
    });
    const answered = page.waitForResponse(inputs);
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('button', { name: 'Start' }).and(page.locator('[data-loading]')).waitFor();
    await choose(/^GELF UDP/);
    held.resolve();
    await answered;
    await page.getByRole('button', { name: 'Start' }).and(page.locator(':not([data-loading])')).waitFor();
    expect(await page.getByText('The disk is full.').count()).toBe(0);
    await choose(/^GELF HTTP/);
    await page.getByText('The disk is full.').waitFor();
    // What stands at another type would be lost as well.
    await page.getByRole('link', { name: 'Streams' }).first().click();
    await asked.getByRole('button', { name: 'Leave' }).click();

    await page.goto('/outputs/new?type=org.graylog2.outputs.GelfOutput');
    await field('hostname').fill('far.example');
    await choose(/STDOUT|Discard|HTTP/);
    await choose(/^GELF/);
    expect(await field('hostname').inputValue()).toBe('far.example');

    await page.goto('/alerts/notifications/new?s=*&type=http-notification-v1');
    await field('url').fill('https://far.example/');
    await choose(/^E-?mail/i);
    await choose(/^HTTP/);
    expect(await field('url').inputValue()).toBe('https://far.example/');
    expect(await asked.count()).toBe(0);
  });

  test('a preference that cannot be stored says so, works here, and is stored by another attempt', async () => {
    const { page } = await site.open('/me');
    const refuse = { status: 500, contentType: 'application/json', body: '{"message":"The disk is full."}' };
    const path = '**/api/users/*/preferences';
    await page.route(path, (route) => route.fulfill(refuse));
    await page.getByText('Compact', { exact: true }).click();
    const notice = page.getByRole('alert').filter({ hasText: 'could not be stored' });
    await notice.getByText('The disk is full.').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.locator('html[data-density=compact]').waitFor({ state: 'attached' });
    await notice.getByRole('button', { name: 'Close' }).click();
    await notice.waitFor({ state: 'hidden' });
    await page.getByText('Normal', { exact: true }).click();
    await notice.waitFor();
    await page.unroute(path);
    await notice.getByRole('button', { name: 'Try again' }).click();
    await notice.waitFor({ state: 'hidden' });
    const { body } = await callApi(site.address, 'GET', '/users/admin');
    expect(body.preferences.web).toMatchObject({ density: 'normal' });

    // The time zone is chosen from the palette, too, where nothing else could say it.
    await callApi(site.address, 'POST', '/users', {
      username: 'zoe',
      email: 'zoe@example.org',
      full_name: 'zoe',
      password: 'reader-river',
      roles: ['Reader'],
      permissions: [],
    });
    const other = await site.open('/search', {}, 'zoe', 'reader-river');
    await other.page.route('**/api/users/zoe', (route) =>
      route.request().method() === 'PUT' ? route.fulfill(refuse) : route.fallback(),
    );
    await other.page.keyboard.press('Control+k');
    await other.page.keyboard.type('Time zone: UTC');
    await other.page.keyboard.press('Enter');
    await other.page.getByRole('alert').filter({ hasText: 'could not be stored' }).waitFor();
  });

  test('several streams are acted on once; an output that is being made for a stream is not lost by a click', async () => {
    const set = (await callApi(site.address, 'GET', '/system/indices/index_sets')).body.index_sets[0].id;
    for (const title of ['Many 1', 'Many 2']) {
      await callApi(site.address, 'POST', '/streams', { title, index_set_id: set, rules: [] });
    }
    const { page } = await site.open('/streams?find=Many');
    await page.getByRole('checkbox', { name: 'Select Many 1' }).check();
    await page.getByRole('checkbox', { name: 'Select Many 2' }).check();
    const sent: string[] = [];
    page.on('request', (request) => request.url().endsWith('/bulk_resume') && sent.push(request.url()));
    const letGo = await hold(page, '**/bulk_resume');
    const resume = page
      .getByRole('region', { name: '2 streams selected' })
      .getByRole('button', { name: 'Resume' });
    await resume.click();
    await eventually(() => expect(sent).toHaveLength(1));
    expect(await resume.isDisabled()).toBe(true);
    letGo();
    await resume.waitFor({ state: 'hidden' });

    await page.getByRole('link', { name: 'Many 1' }).click();
    await page.getByRole('tab', { name: 'Outputs' }).click();
    await page.getByRole('button', { name: 'New output' }).click();
    const title = page.getByRole('textbox', { name: 'Title', exact: true });
    await title.fill('Half made');
    await page.getByRole('tab', { name: 'Settings' }).click();
    const asked = page.getByRole('dialog', { name: 'Leave without saving?' });
    await asked.getByRole('button', { name: 'Stay' }).click();
    await asked.waitFor({ state: 'hidden' });
    expect(await title.inputValue()).toBe('Half made');
  });

  test('a browser that does not keep the session is told so', async () => {
    const { page } = await openWatchedPage(site.browser, site.address, {});
    await page.route('**/api/system/sessions', async (route) => {
      const isCheck = route.request().method() === 'GET';
      const answer = isCheck ? { is_valid: false, username: null } : { session_id: 'x', valid_until: '' };
      await route.fulfill({ json: answer });
    });
    await page.goto('/login');
    await loginForm(page).logIn('admin', 'river');
    await page.getByText('Allow cookies for this address').waitFor();
  });
});
