import { describe, expect, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { accessibilityProblems } from '../support/accessibility.ts';
import { whyNoBrowser } from '../support/browser.ts';
import { callApi } from '../support/node-api.ts';
import { type NodeInBrowser, nodeInBrowser } from '../support/node-in-browser.ts';
import { tooWide } from '../support/too-wide.ts';
import { usersPage } from '../support/users-page.ts';
import { hasFocus, hoverFor } from '../support/web-page.ts';

const noBrowser = whyNoBrowser();
/** What is typed wrong on purpose: the line of the browser, and what the server answered. */
const REFUSED = /status of (?:400|409)/;
const HOSTILE = 'img src=x onerror=alert(1) 🦊';

describe.skipIf(noBrowser)(`the pages of users in Chromium${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  const site = nodeInBrowser();

  async function open(...asked: Parameters<NodeInBrowser['open']>) {
    const opened = await site.open(...asked);
    return { ...opened, users: usersPage(opened.page) };
  }
  const createUser = (username: string, more: object = {}) =>
    callApi(site.address, 'POST', '/users', {
      username,
      password: 'reader-river',
      email: `${username.length}@example.org`,
      full_name: username,
      roles: ['Reader'],
      ...more,
    });
  const createStream = async (title: string): Promise<string> =>
    (await callApi(site.address, 'POST', '/streams', { title })).body.stream_id;

  test('a user who sees one stream is made, changed, disabled, enabled and deleted', async () => {
    const id = await createStream('Web errors');
    const { page, complaints, users } = await open('/users');
    await page.getByRole('link', { name: 'New user' }).click();
    await page.getByRole('button', { name: 'Create user' }).click();
    await page.getByText('This is needed.').first().waitFor();
    await hasFocus(page, page.getByLabel('User name'));
    await page.getByText('Other permissions optional').waitFor();
    await page.getByLabel('User name').fill('ann');
    await page.getByLabel('Full name').fill('Ann Lee');
    await page.getByLabel('E-mail').fill('ann@example.org');
    await page.getByLabel('Password', { exact: true }).fill('short');
    await page.getByText('At least 6 characters.', { exact: true }).waitFor();
    await page.getByLabel('Password', { exact: true }).fill('ann-river');
    await users.addStream('Web errors');
    await page.getByText('Permissions in full (1)').click();
    expect(await users.strings()).toEqual([`streams:read:${id}`]);
    await page.getByRole('button', { name: 'Create user' }).click();
    await page.getByRole('heading', { level: 1, name: 'ann' }).waitFor();

    await page.getByRole('combobox', { name: 'Rights: Web errors' }).click();
    await page.getByRole('option', { name: 'read and change' }).click();
    await page.getByLabel('Full name').fill('Ann B. Lee');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('User ann saved').waitFor();
    const { body } = await callApi(site.address, 'GET', '/users/ann');
    expect(body.full_name).toBe('Ann B. Lee');
    expect(body.roles).toEqual(['Reader']);
    // The permissions of the role have not become permissions of the user.
    expect(body.own_permissions).toEqual([`streams:read:${id}`, `streams:edit:${id}`]);

    const hers = await open('/streams', {}, 'ann', 'ann-river');
    await hers.page.getByRole('link', { name: 'Web errors' }).waitFor();
    expect(await hers.page.getByRole('link', { name: 'Users' }).count()).toBe(0);
    await hers.page.context().close();

    await page.getByLabel('New password').fill('another-river');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('The password is set.').waitFor();
    await page.getByRole('button', { name: 'Disable ann' }).click();
    await page.getByText(/Their sessions end at once/).waitFor();
    await users.question.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('button', { name: 'Enable ann' }).click();
    await page.getByRole('button', { name: 'Disable ann' }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText(/their access tokens stop working at once/).waitFor();
    await users.question.getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL('**/users');
    await eventually(async () => expect(await users.row('ann').count()).toBe(0));
    expect((await callApi(site.address, 'GET', '/users/ann')).status).toBe(404);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('saving a name brings back no right that was taken away meanwhile', async () => {
    const id = await createStream('Taken away');
    await createUser('eve', {
      permissions: [`streams:edit:${id}`, 'inputs:read'],
      roles: ['Reader', 'Admin'],
    });
    const { page, complaints } = await open('/users/eve');
    await page.getByLabel('Full name').fill('Eve Moss');
    await callApi(site.address, 'PUT', '/users/eve', {
      roles: ['Reader'],
      permissions: [`streams:edit:${id}`],
    });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Somebody else has changed this user since you opened it.').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Overwrite with mine' }).click();
    await page.getByText('User eve saved').waitFor();
    const { body } = await callApi(site.address, 'GET', '/users/eve');
    expect(body).toMatchObject({
      full_name: 'Eve Moss',
      roles: ['Reader'],
      own_permissions: [`streams:edit:${id}`],
    });
    // The form shows what is stored now.
    await eventually(async () =>
      expect(await page.getByText('inputs:read', { exact: true }).count()).toBe(0),
    );

    // Or what others have changed is taken over.
    await page.getByLabel('Full name').fill('Mine');
    await callApi(site.address, 'PUT', '/users/eve', { full_name: 'Theirs' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Reload theirs' }).click();
    await eventually(async () => expect(await page.getByLabel('Full name').inputValue()).toBe('Theirs'));

    // What is not saved does not hold up a deletion.
    await page.getByLabel('Full name').fill('Not saved');
    await page.getByRole('button', { name: 'Delete' }).click();
    await usersPage(page).question.getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL('**/users');
    expect(complaints.filter((line) => !REFUSED.test(line))).toEqual([]);
    await page.context().close();
  });

  test('a user named new has a page; a button that failed stays usable', async () => {
    await createUser('new', { full_name: 'Newman' });
    await callApi(site.address, 'PUT', '/users/new/status/disabled');
    const { page, users } = await open('/users');
    await page.getByRole('link', { name: 'new', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'new', exact: true }).waitFor();
    await page.goto('/users?find=Newman');
    await users.row('Newman').waitFor();
    await page.route('**/api/users/new/status/*', (route) => route.abort());
    await page.getByRole('button', { name: 'Enable new' }).click();
    await page.getByText('The server does not answer.', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Enable new' }).getAttribute('aria-disabled')).toBeNull();
    await page.context().close();
  });

  test('what only the server knows stands beside the field; an ended session keeps what was typed', async () => {
    const { page, complaints } = await open('/users/new');
    await page.getByLabel('User name').fill('a:b');
    await page.getByLabel('Full name').fill('Somebody');
    await page.getByLabel('E-mail').fill('some@example.org');
    await page.getByLabel('Password', { exact: true }).fill('some-river');
    await page.getByRole('button', { name: 'Create user' }).click();
    await page.getByText(/a user name cannot contain/).waitFor();
    await page.getByLabel('User name').fill('somebody');
    await page.context().clearCookies();
    // Not a click of the mouse: what asks in the background may have opened the form by then.
    await page.getByRole('button', { name: 'Create user' }).dispatchEvent('click');
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.waitFor();
    await dialog.getByLabel('Password', { exact: true }).fill('river');
    await dialog.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { level: 1, name: 'somebody' }).waitFor();
    expect(complaints.filter((line) => !REFUSED.test(line))).toEqual([]);
    await page.context().close();
  });

  test('sessions last as long as the user, or whoever manages users, has set', async () => {
    const lastingMs = async (username: string) => {
      const { body } = await callApi(site.address, 'POST', '/system/sessions', {
        username,
        password: 'reader-river',
        host: '',
      });
      return Date.parse(body.valid_until.replace(/\+0000$/, 'Z')) - Date.now();
    };
    const near = (ms: number) => (lasts: number) => Math.abs(lasts - ms) < 30_000;
    await createUser('sam');
    const own = await open('/me', {}, 'sam', 'reader-river');
    const section = own.page.getByRole('region', { name: 'Session' });
    const after = section.getByLabel('Log out after');
    expect(await after.inputValue()).toBe('8');
    await after.fill('0');
    await section.getByText('At least a minute.').waitFor();
    await after.fill('45');
    await section.getByRole('combobox', { name: 'Unit of the time' }).click();
    await own.page.getByRole('option', { name: 'minutes' }).click();
    expect(await accessibilityProblems(own.page)).toEqual([]);
    await section.getByRole('button', { name: 'Save' }).click();
    await section.getByText('Saved.').waitFor();
    expect(await lastingMs('sam')).toSatisfy(near(45 * 60_000));
    expect(own.complaints).toEqual([]);
    await own.page.context().close();

    const { page, complaints } = await open('/users/sam');
    expect(await page.getByLabel('Log out after').inputValue()).toBe('45');
    await page.getByRole('combobox', { name: 'Unit of the time' }).click();
    await page.getByRole('option', { name: 'days' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('User sam saved').waitFor();
    expect(await lastingMs('sam')).toSatisfy(near(45 * 86_400_000));

    await page.goto('/users/new');
    await page.getByLabel('User name').fill('tom');
    // What is half filled is not left without a question.
    await page.getByRole('button', { name: 'Cancel' }).click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Stay' }).click();
    await page.getByLabel('Full name').fill('Tom');
    await page.getByLabel('E-mail').fill('tom@example.org');
    await page.getByLabel('Password', { exact: true }).fill('reader-river');
    await page.getByLabel('Log out after').fill('2');
    await page.getByRole('button', { name: 'Create user' }).click();
    await page.getByRole('heading', { level: 1, name: 'tom' }).waitFor();
    expect(await lastingMs('tom')).toSatisfy(near(2 * 3_600_000));

    await page.goto('/me');
    await page.getByText(/change session_timeout there/).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('tokens are shown once and work until they are deleted', async () => {
    const { page, complaints } = await open('/me/tokens');
    const section = page.getByRole('region', { name: 'Access tokens' });
    await section.getByText('You have none.').waitFor();
    await section.getByLabel('Name of a new token').fill('ci <b>');
    await section.getByRole('button', { name: 'Create token' }).click();
    await section.getByText('Copy it now: it is not shown again.').waitFor();
    const token = (await section.getByRole('region', { name: 'The new access token' }).textContent()) ?? '';
    const asToken = { authorization: `Basic ${Buffer.from(`${token}:token`).toString('base64')}` };
    const ask = () => fetch(`${site.address}/api/system`, { headers: asToken });
    expect((await ask()).status).toBe(200);
    await page.reload();
    await section.getByText('ci <b>').waitFor();
    expect(await page.getByText(token).count()).toBe(0);
    await section.getByRole('button', { name: 'Delete token ci <b>' }).click();
    await section.getByText(/Programs that use it are refused/).waitFor();
    await section.getByRole('button', { name: 'Delete', exact: true }).click();
    await section.getByText('You have none.').waitFor();
    expect((await ask()).status).toBe(401);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('many users are found, sorted and paged by the server; hostile names are text', async () => {
    const names = Array.from({ length: 55 }, (_, at) => `many${String(at).padStart(3, '0')}`);
    await Promise.all(names.map((name) => createUser(name, { full_name: `Person ${name}` })));
    await createUser('hostile', { full_name: `<${HOSTILE}> ${'x'.repeat(150)}` });
    const { page, complaints, users } = await open('/users?find=many');
    await page.getByText('1–50 of 55 users').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await users.row('many054').waitFor();
    await page.getByRole('button', { name: 'User', exact: true }).click();
    await users.row('many054').waitFor();
    await page.getByText('1–50 of 55 users').waitFor();
    await page.goto('/users?find=many&page=7');
    await users.row('many054').waitFor();
    await page.getByText('51–55 of 55 users').waitFor();
    await users.find.fill('onerror');
    await users.row('<img src=x onerror=alert(1)').waitFor();
    expect(await tooWide(page)).toEqual([]);
    await users.find.fill('nobody at all');
    await page.getByText('No user has “nobody at all” in a name or e-mail address').waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('who may list users and nothing else finds buttons that say why they do not work', async () => {
    await createUser('lister', { permissions: ['users:list'] });
    const { page, complaints, users } = await open('/users', {}, 'lister', 'reader-river');
    await users.row('admin').waitFor();
    await page.getByText('Reader, permissions not shown').first().waitFor();
    await hoverFor(
      page.getByRole('button', { name: 'New user' }),
      'Needs users:create. Ask an administrator.',
    );
    await hoverFor(page.getByRole('button', { name: 'Disable lister' }), 'This is you.');
    await page.goto('/users/admin');
    await page.getByText('Needs users:edit for this user. Ask an administrator.').waitFor();
    await page.goto('/users/lister');
    await page.getByText(/Needs users:rolesedit/).waitFor();
    await page.getByText(/Needs users:permissionsedit/).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('axe finds nothing', async () => {
    const id = await createStream('Looked at');
    await createUser('axe', { permissions: [`streams:read:${id}`, 'inputs:read'] });
    const { page, complaints, users } = await open('/users?find=axe');
    await users.row('axe').waitFor();
    await page.getByRole('button', { name: 'Disable axe' }).click();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('link', { name: 'axe' }).click();
    await page.getByRole('button', { name: 'Remove Looked at' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.goto('/me/tokens');
    await page.getByRole('button', { name: 'Create token' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.goto('/users');
    await users.row('admin').waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await tooWide(page)).toEqual([]);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
