import { describe, expect, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { accessibilityProblems } from '../support/accessibility.ts';
import { whyNoBrowser } from '../support/browser.ts';
import { indexSetsPage } from '../support/index-sets-page.ts';
import { callApi } from '../support/node-api.ts';
import { type NodeInBrowser, nodeInBrowser } from '../support/node-in-browser.ts';
import { tooWide } from '../support/too-wide.ts';
import { hasFocus, hoverFor, loginForm, pressTogether } from '../support/web-page.ts';

const noBrowser = whyNoBrowser();
/** What is typed wrong on purpose: the line of the browser, and what the server answered. */
const REFUSED = /status of 400/;
const HOSTILE = '<img src=x onerror=alert(1)> 🦊 \u202eevil';
const SETS = '/system/indices/index_sets';

describe.skipIf(noBrowser)(`the pages of index sets in Chromium${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let defaultId: string;
  const site = nodeInBrowser({
    seed: async () => {
      const { body } = await callApi(site.address, 'GET', SETS);
      defaultId = body.index_sets.find((set: { default: boolean }) => set.default).id;
      // millrace_0 to millrace_3 with 10 messages each; millrace_4 is active and empty.
      for (let index = 0; index < 4; index += 1) {
        await site.send(
          ...Array.from({ length: 10 }, (_, at) => ({ short_message: `request ${at}`, level: 6 })),
        );
        await site.stored((index + 1) * 10);
        await callApi(site.address, 'POST', `/cluster/deflector/${defaultId}/cycle`);
      }
    },
  });

  const countOf = async (path: string) =>
    (await callApi(site.address, 'GET', `/count${path}/total`)).body.events as number;
  async function open(...asked: Parameters<NodeInBrowser['open']>) {
    const opened = await site.open(...asked);
    return { ...opened, sets: indexSetsPage(opened.page) };
  }
  const createSet = async (body: object): Promise<string> =>
    (await callApi(site.address, 'POST', SETS, body)).body.id;

  test('an index set is made for 30 days, changed and deleted', async () => {
    const { page, complaints, sets } = await open('/index-sets');
    await page.getByRole('link', { name: 'New index set' }).click();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('This is needed.').first().waitFor();
    await page.getByLabel('Title').fill('Web shop');
    await page.getByLabel('Prefix of its indices').fill('millrace_shop');
    await sets.choose('A new index begins', 'After a time');
    await page.getByLabel('Rotation period', { exact: true }).fill('soon');
    await sets.preview.getByText('Something is missing or wrong in the form.').waitFor();
    await page.getByLabel('Rotation period', { exact: true }).fill('P1D');
    await page.getByLabel('Maximum number of indices').fill('30');
    await sets.preview.getByText('Rotates daily, keeps 30: about 30 days.').waitFor();
    // What only the server knows stands beside the field.
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText(/would conflict with the existing index set prefix/).waitFor();
    await page.getByLabel('Prefix of its indices').fill('shop');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 1, name: 'Web shop' }).waitFor();
    await page.getByText('shop_0', { exact: true }).waitFor();

    await page.getByRole('tab', { name: 'Settings' }).click();
    expect(await page.getByLabel('Maximum number of indices').inputValue()).toBe('30');
    await page.getByLabel('Maximum number of indices').fill('7');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Index set Web shop saved').waitFor();
    await page.getByText('Rotates daily, keeps 7: about 7 days.').first().waitFor();
    await page.getByRole('button', { name: 'Make it the default' }).click();
    await page.getByText(/new streams are stored here from now on/).waitFor();
    await sets.question.getByRole('button', { name: 'Cancel' }).click();
    await sets.question.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Make it read only' }).click();
    await page.getByText(/Streams cannot choose it any more, and no index is deleted/).waitFor();
    await page.getByRole('form').getByRole('button', { name: 'Make it read only' }).click();
    await page.getByText('This index set is read only: streams cannot choose it').waitFor();
    await page.getByRole('button', { name: 'Make it writable' }).click();
    await page.getByText('Streams can choose this index set.').waitFor();
    await page.getByRole('button', { name: 'Delete index set' }).click();
    await page.getByText('Delete “Web shop” with 1 index and 0 messages?').waitFor();
    await sets.confirm('Delete index set', 'shop');
    await page.waitForURL('**/index-sets');
    await eventually(async () => expect(await sets.row('Web shop').count()).toBe(0));
    expect(complaints.filter((line) => !REFUSED.test(line))).toEqual([]);
    await page.context().close();
  });

  test('indices are rotated, closed, reopened and deleted, with what is lost said first', async () => {
    const { page, complaints, sets } = await open(`/index-sets/${defaultId}`);
    await sets.row('millrace_4').getByText('active').waitFor();
    await sets.press('Close', 'millrace_3');
    await page.getByText(/Its 10 messages stay stored, but searches leave them out/).waitFor();
    // The row is up to date before the rest of the page: the next question is not closed by the answer to the one before.
    const released = Promise.withResolvers<void>();
    await page.route(`**/api${SETS}/${defaultId}`, async (route) => {
      await released.promise;
      await route.continue();
    });
    await sets.confirm('Close');
    await sets.row('millrace_3').getByText('closed').waitFor();
    expect(await countOf('')).toBe(30);
    await sets.press('Reopen', 'millrace_3');
    await sets.confirm('Reopen');
    await sets.row('millrace_3').getByText('reopened').waitFor();
    released.resolve();
    await sets.question.waitFor({ state: 'hidden' });
    await page.unrouteAll({ behavior: 'wait' });
    await sets.press('Delete', 'millrace_0');
    await page.getByText('Delete millrace_0 and its 10 messages? They cannot be brought back.').waitFor();
    expect(await sets.question.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
    await sets.confirm('Delete', 'millrace_0');
    await eventually(async () => expect(await sets.row('millrace_0').count()).toBe(0));
    expect(await countOf('')).toBe(30);
    await sets.press('Rotate now', 'millrace_4');
    await page.getByText(/New messages no longer go into millrace_4/).waitFor();
    await sets.confirm('Rotate now');
    await sets.row('millrace_5').getByText('active').waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('a shorter retention says what it deletes, and deletes it', async () => {
    const id = await createSet({ title: 'Short', index_prefix: 'short' });
    for (let at = 0; at < 3; at += 1) await callApi(site.address, 'POST', `/cluster/deflector/${id}/cycle`);
    const { page, complaints, sets } = await open(`/index-sets/${id}/settings`);
    await page.getByLabel('Maximum number of indices').fill('2');
    await sets.preview.getByText('Deletes short_0 to short_1 within 5 minutes: 0 messages.').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByLabel('Type short to confirm').waitFor();
    expect(
      (await callApi(site.address, 'GET', `${SETS}/${id}`)).body.retention_strategy.max_number_of_indices,
    ).toBe(20);
    await sets.confirm('Save and delete', 'short');
    await page.getByText('Index set Short saved').waitFor();
    expect(
      (await callApi(site.address, 'GET', `${SETS}/${id}`)).body.retention_strategy.max_number_of_indices,
    ).toBe(2);
    // A title deletes nothing: nobody is asked, though short_0 and short_1 are still there.
    await page.getByLabel('Title').fill('Shorter');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Index set Shorter saved').waitFor();
    // The question goes when what it asks about changes.
    await page.getByLabel('Maximum number of indices').fill('1');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByLabel('Type short to confirm').waitFor();
    await page.getByLabel('Maximum number of indices').fill('2');
    await page.getByLabel('Type short to confirm').waitFor({ state: 'detached' });
    // A rotation would push another one out.
    await page.getByRole('tab', { name: 'Indices' }).click();
    await sets.press('Rotate now', 'short_3');
    await page.getByText('Deletes short_0 to short_2 within 5 minutes: 0 messages.').waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('another title leaves lifetimes in use; what is typed is not lost on the way', async () => {
    const data_tiering = { type: 'hot_only', index_lifetime_min: 'P7D', index_lifetime_max: 'P14D' };
    const id = await createSet({ title: 'Tiered', index_prefix: 'tiered', data_tiering });
    const stored = async () => (await callApi(site.address, 'GET', `${SETS}/${id}`)).body;
    expect(await stored()).toMatchObject({ use_legacy_rotation: false, data_tiering });
    const { page, complaints } = await open(`/index-sets/${id}/settings`);
    await page.getByLabel('Title').fill('Tiered well');
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await page.getByRole('tab', { name: 'Indices' }).click();
    await question.getByRole('button', { name: 'Stay' }).click();
    await question.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Index set Tiered well saved').waitFor();
    expect(await stored()).toMatchObject({ title: 'Tiered well', use_legacy_rotation: false, data_tiering });
    // The switch below leaves what is typed, and the form goes on from what it has saved.
    await page.getByLabel('Title').fill('Tiered again');
    await page.getByRole('button', { name: 'Make it read only' }).click();
    await page.getByRole('form').getByRole('button', { name: 'Make it read only' }).click();
    await page.getByText('This index set is read only: streams cannot choose it').waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Tiered again');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Index set Tiered again saved').waitFor();
    expect(await stored()).toMatchObject({ writable: false, use_legacy_rotation: false, data_tiering });
    await page.getByRole('tab', { name: 'Indices' }).click();
    await page.getByText('tiered_0', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('a rotation whose effect is not known yet asks again', async () => {
    const { page, sets } = await open(`/index-sets/${defaultId}`);
    await sets.row('active').first().waitFor();
    const outlook = `**/index_sets/${defaultId}/outlook`;
    await page.route(outlook, (route) => route.abort());
    await page.getByRole('button', { name: /^Rotate now/ }).click();
    await page.getByText('The server does not answer').first().waitFor();
    expect(await sets.question.count()).toBe(0);
    await page.unroute(outlook);
    await page.getByRole('button', { name: 'Try again' }).click();
    await sets.question.getByRole('button', { name: 'Rotate now' }).waitFor();
    await page.context().close();
  });

  test('two people edit: the second is told; a session that ends keeps what was typed', async () => {
    const id = await createSet({ title: 'Shared', index_prefix: 'shared' });
    const { page, complaints } = await open(`/index-sets/${id}/settings`);
    await page.getByLabel('Title').fill('Mine');
    const { body } = await callApi(site.address, 'GET', `${SETS}/${id}`);
    await callApi(site.address, 'PUT', `${SETS}/${id}`, { ...body, title: 'Theirs' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Somebody else has changed this index set').waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Mine');
    // What is typed after the question is stored, too.
    await page.getByLabel('Title').fill('Mine after all');
    await page.getByRole('button', { name: 'Overwrite with mine' }).click();
    await page.getByText('Index set Mine after all saved').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Mine after all' }).waitFor();

    await page.getByLabel('Title').fill('Mine again');
    await callApi(site.address, 'PUT', `${SETS}/${id}`, { ...body, revision: null, title: 'Theirs again' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Reload theirs' }).click();
    await page.getByRole('heading', { level: 1, name: 'Theirs again' }).waitFor();
    await eventually(async () => expect(await page.getByLabel('Title').inputValue()).toBe('Theirs again'));

    await page.getByLabel('Title').fill('Typed before');
    await page.context().clearCookies();
    // Not a click of the mouse: what asks in the background may have opened the form by then.
    await page.getByRole('button', { name: 'Save', exact: true }).dispatchEvent('click');
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.waitFor();
    await loginForm(page).submit('river');
    await page.getByRole('heading', { level: 1, name: 'Typed before' }).waitFor();
    expect(complaints.filter((line) => !line.includes('status of 409'))).toEqual([]);
    await page.context().close();
  });

  test('a reader sees what they may, and buttons that say why they do not work', async () => {
    await callApi(site.address, 'POST', '/users', {
      username: 'rea',
      password: 'reader-river',
      email: 'rea@example.org',
      full_name: 'Rea Der',
      roles: ['Reader'],
      permissions: [`indexsets:read:${defaultId}`],
    });
    const { page, complaints, sets } = await open('/index-sets', {}, 'rea', 'reader-river');
    await sets.row('Default index set').first().waitFor();
    expect(await sets.row('Processing failures').count()).toBe(0);
    await hoverFor(
      page.getByRole('button', { name: 'New index set' }),
      'Needs indexsets:create. Ask an administrator.',
    );
    await page.getByRole('link', { name: 'Default index set', exact: true }).click();
    await hoverFor(
      page.getByRole('button', { name: /^Rotate now/ }),
      'Needs deflector:cycle for this index set. Ask an administrator.',
    );
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByText('Needs indexsets:edit for this index set. Ask an administrator.').first().waitFor();
    await page.goto('/index-sets/new');
    await page.getByText('Needs indexsets:create. Ask an administrator.').waitFor();
    // Whether there is one that they may not read, nobody tells them.
    await page.goto(`/index-sets/${'c'.repeat(24)}`);
    await page.getByText('Needs indexsets:read for this index set. Ask an administrator.').waitFor();
    expect(complaints.filter((line) => !line.includes('status of 404'))).toEqual([]);
    await page.context().close();
  });

  test('hostile names are text; axe finds nothing', async () => {
    await createSet({
      title: `${HOSTILE} ${'x'.repeat(150)}`,
      description: HOSTILE.repeat(20),
      index_prefix: 'hostile',
      writable: false,
    });
    const { page, complaints, sets } = await open('/index-sets?find=onerror');
    await sets.row('<img src=x onerror=alert(1)>').first().waitFor();
    expect(await tooWide(page)).toEqual([]);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page
      .getByRole('link', { name: /onerror/ })
      .first()
      .click();
    await page.getByRole('button', { name: /^Rotate now/ }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByText('Keeps everything while it is read only.').waitFor();
    await page.getByText(/^Rotates after/).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.goto('/index-sets');
    await sets.row('millrace_').nth(1).waitFor();
    await sets.press('Delete', 'millrace_1');
    await sets.question.waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await tooWide(page)).toEqual([]);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('Graylog’s addresses lead here, and so does the keyboard', async () => {
    const { page, complaints, sets } = await open('/system/indices');
    await page.waitForURL('**/index-sets');
    await page.goto(`/system/index_sets/${defaultId}`);
    await page.waitForURL(`**/index-sets/${defaultId}`);
    await page.getByRole('heading', { level: 1, name: 'Default index set', exact: true }).waitFor();
    await pressTogether(page, 'g', 'x');
    await page.getByRole('heading', { level: 1, name: 'Index sets' }).waitFor();
    await sets.find.waitFor();
    await page.keyboard.press('/');
    await hasFocus(page, sets.find);
    await page.keyboard.type('fail');
    await page.getByRole('link', { name: 'Processing failures', exact: true }).waitFor();
    await eventually(async () =>
      expect(await page.getByRole('link', { name: 'Default index set', exact: true }).count()).toBe(0),
    );
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
