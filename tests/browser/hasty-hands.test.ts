import type { Page, Request } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { whyNoBrowser } from '../support/browser.ts';
import { callApi } from '../support/node-api.ts';
import { nodeInBrowser } from '../support/node-in-browser.ts';
import { loginForm, openWatchedPage } from '../support/web-page.ts';

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
