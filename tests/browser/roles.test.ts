import { describe, expect, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { accessibilityProblems } from '../support/accessibility.ts';
import { whyNoBrowser } from '../support/browser.ts';
import { callApi } from '../support/node-api.ts';
import { type NodeInBrowser, nodeInBrowser } from '../support/node-in-browser.ts';
import { tooWide } from '../support/too-wide.ts';
import { usersPage } from '../support/users-page.ts';
import { hoverFor } from '../support/web-page.ts';

const noBrowser = whyNoBrowser();
const HOSTILE = '<img src=x onerror=alert(1)> 🦊';

describe.skipIf(noBrowser)(`the pages of roles in Chromium${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  const site = nodeInBrowser();

  async function open(...asked: Parameters<NodeInBrowser['open']>) {
    const opened = await site.open(...asked);
    return { ...opened, users: usersPage(opened.page) };
  }
  const createUser = (username: string, more: object = {}) =>
    callApi(site.address, 'POST', '/users', {
      username,
      password: 'reader-river',
      email: `${username}@example.org`,
      full_name: username,
      roles: ['Reader'],
      ...more,
    });

  test('a role is made, given to a user who sees its stream then, renamed and deleted', async () => {
    const { body } = await callApi(site.address, 'POST', '/streams', { title: 'Web errors' });
    await createUser('ann');
    const { page, complaints, users } = await open('/users');
    const tabs = page.getByRole('navigation', { name: 'Users and roles' });
    await tabs.getByRole('link', { name: 'Roles' }).click();
    await users.row('Reader').getByText('built in').waitFor();
    await page.getByRole('link', { name: 'New role' }).click();
    await page.getByRole('button', { name: 'Create role' }).click();
    await page.getByText('A role needs a name.').waitFor();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('new');
    await page.getByLabel('Description').fill(HOSTILE);
    await users.addStream('Web errors');
    await page.getByText('Permissions in full (1)').click();
    expect(await users.strings()).toEqual([`streams:read:${body.stream_id}`]);
    await page.getByRole('button', { name: 'Create role' }).click();
    await page.getByRole('heading', { level: 1, name: 'new', exact: true }).waitFor();

    const members = page.getByRole('region', { name: 'Members' });
    await members.getByText('Nobody has this role.').waitFor();
    await members.getByPlaceholder('User name').fill('ann');
    await members.getByRole('button', { name: 'Add' }).click();
    await members.getByRole('row', { name: /ann/ }).waitFor();
    const hers = await open('/streams', {}, 'ann', 'reader-river');
    await hers.page.getByRole('link', { name: 'Web errors' }).waitFor();
    expect(await hers.page.getByRole('link', { name: 'Users' }).count()).toBe(0);
    await hers.page.context().close();

    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('On call');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL('**/roles/On%20call');
    await page.getByRole('heading', { level: 1, name: 'On call' }).waitFor();
    await members.getByRole('button', { name: 'Take the role from ann' }).click();
    await members.getByText('Take the role On call from ann?').waitFor();
    await members.getByRole('button', { name: 'Take away' }).click();
    await members.getByText('Nobody has this role.').waitFor();
    expect((await callApi(site.address, 'GET', '/users/ann')).body.roles).toEqual(['Reader']);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Delete the role On call? Nobody has it.').waitFor();
    await users.question.getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL('**/roles');
    await eventually(async () => expect(await users.row('On call').count()).toBe(0));
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('when two people edit a role, the second is asked, and keeps what was typed until then', async () => {
    const theirs = { name: 'Shared', description: 'Theirs', permissions: ['inputs:read'] };
    await callApi(site.address, 'POST', '/roles', { ...theirs, description: 'At first', permissions: [] });
    const { page, complaints } = await open('/roles/Shared');
    const description = page.getByLabel('Description');
    const conflict = page.getByText('Somebody else has changed this role since you opened it.');
    await description.fill('Mine');
    await callApi(site.address, 'PUT', '/roles/Shared', theirs);
    await page.getByRole('button', { name: 'Save' }).click();
    await conflict.waitFor();
    expect(await description.inputValue()).toBe('Mine');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Reload theirs' }).click();
    await conflict.waitFor({ state: 'detached' });
    await eventually(async () => expect(await description.inputValue()).toBe('Theirs'));
    await page.getByText('Permissions in full (1)').waitFor();

    await description.fill('Mine after all');
    await callApi(site.address, 'PUT', '/roles/Shared', { ...theirs, permissions: [] });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Overwrite with mine' }).click();
    await page.getByText('Role Shared saved').waitFor();
    await conflict.waitFor({ state: 'detached' });
    expect((await callApi(site.address, 'GET', '/roles/Shared')).body).toMatchObject({
      description: 'Mine after all',
      permissions: ['inputs:read'],
    });
    expect(complaints.filter((line) => !line.includes('409'))).toEqual([]);
    await page.context().close();
  });

  test('many roles are found and paged by the server; built-in ones cannot be changed', async () => {
    const names = Array.from({ length: 55 }, (_, at) => `many${String(at).padStart(3, '0')}`);
    await Promise.all(
      names.map((name) => callApi(site.address, 'POST', '/roles', { name, permissions: ['inputs:read'] })),
    );
    await callApi(site.address, 'POST', '/roles', { name: `${HOSTILE} ${'x'.repeat(60)}`, permissions: [] });
    const { page, complaints, users } = await open('/roles?find=many');
    await page.getByText('1–50 of 55 roles').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await users.row('many054').waitFor();
    await page.getByRole('textbox', { name: 'Find a role' }).fill('onerror');
    await users.row('<img src=x onerror').waitFor();
    // The list has become shorter than an old link says.
    await page.goto('/roles?find=many&page=99');
    await users.row('many054').waitFor();
    await page.getByText('51–55 of 55 roles').waitFor();
    await page.keyboard.press('n');
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('many000');
    await page.getByRole('button', { name: 'Create role' }).click();
    await page.getByText(/already/).waitFor();
    // What was said is about the name that was sent.
    await name.fill('many000 and one');
    await page.getByText(/already/).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Create role' }).click();
    await page.getByRole('heading', { level: 1, name: 'many000 and one' }).waitFor();
    await page.goto('/roles/Reader');
    await page.getByText(/This role is built in/).waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    await page.goto('/roles/nothing');
    await page.getByRole('heading', { name: 'There is no role nothing' }).waitFor();
    const isExpected = (line: string) =>
      line.includes('404') || (line.includes('status of 400') && line.includes('/roles'));
    expect(complaints.filter((line) => !isExpected(line))).toEqual([]);
    await page.context().close();
  });

  test('who may read roles and nothing else finds buttons that say why they do not work', async () => {
    await callApi(site.address, 'POST', '/roles', { name: 'Seen', permissions: ['inputs:read'] });
    await createUser('rea', { permissions: ['roles:read'] });
    const { page, complaints } = await open('/roles', {}, 'rea', 'reader-river');
    await hoverFor(
      page.getByRole('button', { name: 'New role' }),
      'Needs roles:create. Ask an administrator.',
    );
    await page.goto('/roles/Seen');
    await hoverFor(
      page.getByRole('button', { name: 'Save' }),
      'Needs roles:edit for this role. Ask an administrator.',
    );
    expect(await page.getByRole('region', { name: 'Members' }).count()).toBe(0);
    await createUser('nob');
    const stranger = await open('/roles', {}, 'nob', 'reader-river');
    await stranger.page.getByText('Needs roles:read. Ask an administrator.').waitFor();
    expect([...complaints, ...stranger.complaints]).toEqual([]);
    await stranger.page.context().close();
    await page.context().close();
  });

  test('axe finds nothing', async () => {
    const name = 'Looked at';
    await callApi(site.address, 'POST', '/roles', { name, permissions: ['inputs:read'] });
    await createUser('axe', { roles: ['Reader', name] });
    const { page, complaints, users } = await open('/roles?find=Looked');
    await users.row(name).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('link', { name }).click();
    await page.getByRole('row', { name: 'axe' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await tooWide(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
