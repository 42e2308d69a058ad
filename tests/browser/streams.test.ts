import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { accessibilityProblemsOfTheme } from '../support/accessibility.ts';
import { whyNoBrowser } from '../support/browser.ts';
import { copyStreams } from '../support/many-streams.ts';
import { callApi } from '../support/node-api.ts';
import { type NodeInBrowser, nodeInBrowser } from '../support/node-in-browser.ts';
import { searchPage } from '../support/search-page.ts';
import { streamsPage } from '../support/streams-page.ts';
import { tooWide } from '../support/too-wide.ts';
import { hasFocus, hoverFor, loginForm } from '../support/web-page.ts';

const noBrowser = whyNoBrowser();
const MESSAGES = 60;
const HOSTILE = '<img src=x onerror=alert(1)> 🦊 \u202eevil';

describe.skipIf(noBrowser)(`the pages of streams in Chromium${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  const site = nodeInBrowser({
    settings: { stream_processing_timeout: '300ms' },
    seed: async () => {
      const now = Date.now() / 1000;
      const messages = Array.from({ length: MESSAGES }, (_, at) => ({
        host: `web-${at % 3}`,
        short_message: at % 20 === 0 ? 'upstream timed out' : `request ${at}`,
        level: at % 5 === 0 ? 3 : 6,
        timestamp: now - 60 - at,
        _user: at % 2 === 0 ? 'Ann' : 'bob',
      }));
      await site.send(...messages);
      await site.stored(MESSAGES);
    },
  });

  async function createStream(stream: object): Promise<string> {
    const { body } = await callApi(site.address, 'POST', '/streams', stream);
    return body.stream_id;
  }
  async function open(...asked: Parameters<NodeInBrowser['open']>) {
    const opened = await site.open(...asked);
    return { ...opened, streams: streamsPage(opened.page) };
  }
  const rule = (type: number, field: string, value: string) => ({ type, field, value });

  test('a stream is made, tried, started, changed and deleted', async () => {
    const { page, complaints, streams } = await open('/streams');
    await page.getByRole('link', { name: 'New stream' }).click();
    await streams.title.fill('Web errors');
    await streams.fillRule(0, { field: 'level', condition: 'is smaller than', value: '4' });
    await streams.wouldMatch(12);
    await streams.addRule();
    await streams.fillRule(1, { field: 'source' });
    // Values are completed from what messages have.
    await streams.rules.nth(1).getByLabel('Value').fill('web');
    await page.getByRole('option', { name: 'web-1' }).click();
    await streams.wouldMatch(4);
    await page.getByText('Missed', { exact: true }).click();
    await streams.matchedRows.first().click();
    await page.getByText('Not in the stream').waitFor();
    await page.getByRole('button', { name: 'Save and start' }).click();
    await page.getByRole('heading', { level: 1, name: 'Web errors' }).waitFor();
    await page.getByText('running').first().waitFor();

    // Changes of a running stream wait, with the difference.
    await streams.fillRule(0, { value: '5' });
    const changes = page.getByRole('region', { name: 'Not applied yet' });
    await changes.getByText('level is smaller than 4 becomes level is smaller than 5').waitFor();
    await changes.getByRole('button', { name: 'Apply' }).click();
    await changes.waitFor({ state: 'hidden' });
    await page.reload();
    await streams.rules.nth(1).waitFor();
    await eventually(async () =>
      expect(await streams.ruleTexts()).toEqual(['level is smaller than 5', 'source is exactly web-1']),
    );

    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByLabel('Description').fill('Errors of the shop');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Stream Web errors saved').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText(/2 rules and all rights to it are lost/).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL('**/streams');
    await eventually(async () => expect(await streams.row('Web errors').count()).toBe(0));
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('a wrong rule is explained beside it, also by a message that is pasted', async () => {
    const { page, complaints, streams } = await open('/streams/new');
    await streams.fillRule(0, { field: 'message', condition: 'matches', value: '(unclosed' });
    await page.getByText(/is not a regular expression/).waitFor();
    await streams.fillRule(0, { value: 'timed' });
    await streams.wouldMatch(3);
    await page.getByText('Paste JSON', { exact: true }).click();
    await page
      .getByRole('textbox', { name: 'Paste JSON' })
      .fill('{"short_message": "it timed out", "host": "x"}');
    await page.getByText('In the stream', { exact: true }).waitFor();
    await page.getByRole('textbox', { name: 'Paste JSON' }).fill('{');
    await page.getByText('This is not a JSON object.').waitFor();
    await page.getByRole('button', { name: 'Save and start' }).click();
    await page.getByText('A stream needs a title.').waitFor();
    expect(complaints.filter((line) => !line.includes('status of 400'))).toEqual([]);
    await page.context().close();
  });

  test('of a search: rules filled in, unfit parts named, the preview equals the search, new messages arrive', async () => {
    const { page, complaints, streams } = await open('/search?q=level:%3C%3D3+AND+source:web-*&t=1h');
    const search = searchPage(page);
    await search.found('12 messages');
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Make a stream of it' }).click();
    await streams.wouldMatch(12);
    await page.getByText('The search finds the same 12 messages.').waitFor();
    await eventually(async () => expect((await streams.ruleTexts())[0]).toBe('level is smaller than 4'));
    await streams.title.fill('From a search');
    await page.getByRole('button', { name: 'Save and start' }).click();
    await page.getByRole('heading', { level: 1, name: 'From a search' }).waitFor();
    await site.send({ host: 'web-1', short_message: 'the first of the stream', level: 3 });
    await site.stored(MESSAGES + 1);
    await page.locator('main').getByRole('link', { name: 'Search', exact: true }).click();
    await search.row('the first of the stream').waitFor();

    await page.goto('/streams/new?q=level:3+AND+tiemout~&t=1h');
    await page.getByText('has no rule.').waitFor();
    await page.getByText('tiemout~').waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('by keyboard alone: from a search to a running stream', async () => {
    const { page, complaints, streams } = await open('/search?q=user:bob&t=1h');
    await searchPage(page).found('30 messages');
    await page.keyboard.press('Escape');
    const press = async (key: string, times = 1) => {
      for (let at = 0; at < times; at += 1) await page.keyboard.press(key);
    };
    const focusOn = (name: string) =>
      eventually(async () => {
        await press('Tab');
        const label = await page.evaluate(
          '(document.activeElement.getAttribute("aria-label") ?? document.activeElement.innerText ?? "").trim()',
        );
        expect(label).toBe(name);
      });
    await focusOn('More');
    await press('Enter');
    await page.getByRole('menuitem', { name: 'Make a stream of it' }).waitFor();
    await page.keyboard.type('Mak');
    await eventually(async () => {
      const focused = String(await page.evaluate('document.activeElement.innerText'));
      if (!focused.includes('Make a stream')) await press('ArrowDown');
      expect(focused).toContain('Make a stream');
    });
    await press('Enter');
    await page.getByRole('heading', { level: 1, name: 'New stream' }).waitFor();
    await hasFocus(page, streams.title);
    await eventually(async () => expect(await streams.ruleTexts()).toEqual(['user matches (?i)^bob$']));
    await page.keyboard.type('By keys');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'By keys' }).waitFor();
    await page.getByText('running').first().waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('a stream that was disabled for slow rules says why, is edited and re-enabled', async () => {
    const id = await createStream({ title: 'Slow regex', rules: [rule(2, 'message', '^(a|a)+$')] });
    await callApi(site.address, 'POST', `/streams/${id}/resume`);
    await eventually(
      async () => {
        await site.send({ host: 'evil', short_message: `${'a'.repeat(40)}!`, level: 6 });
        expect((await callApi(site.address, 'GET', `/streams/${id}`)).body.state).toBe('disabled');
      },
      { timeoutMs: 60_000 },
    );
    // The preview looks at what is stored.
    const search = '/search/universal/relative?query=source:evil&range=0';
    await eventually(
      async () => expect((await callApi(site.address, 'GET', search)).body.total_results).toBeGreaterThan(0),
      { timeoutMs: 120_000 },
    );
    const { page, complaints, streams } = await open('/streams?find=slow+regex');
    const row = streams.row('Slow regex');
    await row.getByText(/Its rules took longer than 300 ms/).waitFor();
    await row.getByRole('link', { name: 'See rules' }).click();
    await page.getByText('This stream is disabled').waitFor();
    await page
      .getByText(/These rules are so slow|took too long/)
      .first()
      .waitFor();
    await streams.fillRule(0, { value: '^a+$' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByRole('button', { name: 'Re-enable' }).click();
    await page.getByText('running').first().waitFor();
    expect((await callApi(site.address, 'GET', `/streams/${id}`)).body.state).toBe('running');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('two people edit: the second is told, and may reload or overwrite', async () => {
    const id = await createStream({ title: 'Shared', rules: [rule(1, 'user', 'Ann')] });
    const { page, complaints, streams } = await open(`/streams/${id}/rules`);
    await streams.fillRule(0, { value: 'mine' });
    const { body } = await callApi(site.address, 'GET', `/streams/${id}`);
    const theirs = { ...rule(1, 'user', 'theirs'), id: body.rules[0].id };
    await callApi(site.address, 'PUT', `/streams/${id}/rules`, { rules: [theirs] });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Somebody else has changed this stream').waitFor();
    await page.getByRole('button', { name: 'Overwrite with mine' }).click();
    await page.getByRole('region', { name: 'Not applied yet' }).waitFor({ state: 'hidden' });
    await eventually(async () =>
      expect((await callApi(site.address, 'GET', `/streams/${id}`)).body.rules[0].value).toBe('mine'),
    );
    expect(complaints.filter((line) => !line.includes('status of 409'))).toEqual([]);
    await page.context().close();
  });

  test('a session that ends over the rules keeps what was typed', async () => {
    const { page, complaints, streams } = await open('/streams/new');
    await streams.title.fill('Typed before');
    await streams.fillRule(0, { field: 'user', value: 'Ann' });
    await streams.wouldMatch(30);
    await page.context().clearCookies();
    // The preview meets the ended session, and no further key is pressed then.
    await streams.rules.first().getByLabel('Value').fill('bo');
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.waitFor();
    await loginForm(page).submit('river');
    await dialog.waitFor({ state: 'hidden' });
    expect(await streams.title.inputValue()).toBe('Typed before');
    expect(await streams.ruleTexts()).toEqual(['user is exactly bo']);
    await streams.fillRule(0, { value: 'bob' });
    await streams.wouldMatch(30);
    await page.getByRole('button', { name: 'Save and start' }).click();
    await page.getByRole('heading', { level: 1, name: 'Typed before' }).waitFor();
    expect(await streams.ruleTexts()).toEqual(['user is exactly bob']);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('a reader sees what they may, and buttons that say why they do not work', async () => {
    const id = await createStream({ title: 'Readable', rules: [rule(1, 'user', 'Ann')] });
    await createStream({ title: 'Secret', rules: [rule(1, 'user', 'bob')] });
    await callApi(site.address, 'POST', '/users', {
      username: 'rea',
      password: 'reader-river',
      email: 'rea@example.org',
      full_name: 'Rea Der',
      roles: ['Reader'],
      permissions: [`streams:read:${id}`],
    });
    const { page, complaints, streams } = await open('/streams', {}, 'rea', 'reader-river');
    await streams.row('Readable').waitFor();
    expect(await streams.row('Secret').count()).toBe(0);
    await hoverFor(
      page.getByRole('button', { name: 'New stream' }),
      'Needs streams:create. Ask an administrator.',
    );
    await streams.row('Readable').getByRole('link', { name: 'Readable' }).click();
    await page.getByText('Needs streams:edit for this stream. Ask an administrator.').waitFor();
    expect(await page.getByRole('button', { name: 'Rule', exact: true }).count()).toBe(0);
    await page.getByRole('region', { name: 'Preview' }).getByRole('status').waitFor();
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByLabel('Title', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('hostile names are text, and many streams are found, sorted, paged and paused together', async () => {
    await createStream({ title: `${HOSTILE} ${'x'.repeat(160)}`, description: HOSTILE.repeat(20) });
    await Promise.all(
      Array.from({ length: 60 }, (_, at) => createStream({ title: `Many ${String(at).padStart(3, '0')}` })),
    );
    const { page, complaints, streams } = await open('/streams?find=onerror');
    await streams.row('<img src=x onerror=alert(1)>').waitFor();
    expect(await tooWide(page)).toEqual([]);
    await streams.find.fill('many');
    await page.getByText('1–50 of 60 streams').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('51–60 of 60 streams').waitFor();
    await streams.row('Many 059').waitFor();
    // An address behind the end leads to the last page.
    await page.goto('/streams?find=many&page=99');
    await page.getByText('51–60 of 60 streams').waitFor();
    await page.getByRole('button', { name: 'Stream', exact: true }).click();
    await streams.row('Many 059').waitFor();
    await page.getByText('1–50 of 60 streams').waitFor();
    await page.getByLabel('Select Many 059').check();
    await page.getByLabel('Select Many 058').check();
    await page
      .getByRole('region', { name: '2 streams selected' })
      .getByRole('button', { name: 'Resume' })
      .click();
    await streams.row('Many 059').getByText('running').waitFor();
    await streams.row('Many 058').getByText('running').waitFor();

    await streams.row('Many 059').getByRole('button', { name: 'More for Many 059' }).click();
    await page.getByRole('menuitem', { name: 'Clone' }).click();
    await page.getByLabel('Title of the copy').fill('A copy');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'A copy' }).waitFor();
    await page.goBack();
    await streams.row('Many 058').getByRole('button', { name: 'More for Many 058' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByText(/Delete “Many 058”/).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await eventually(async () => expect(await streams.row('Many 058').count()).toBe(0));
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('a thousand streams are neither drawn at once nor out of reach', async () => {
    copyStreams(site.node.dataDir, 1000, 'Bulk');
    const { page, complaints, streams } = await open('/streams?find=bulk');
    await page.getByText('1–50 of 1\u202f000 streams').waitFor();
    expect(await page.getByRole('row').count()).toBeLessThanOrEqual(51);
    await streams.find.fill('bulk 0987');
    await streams.row('Bulk 0987').waitFor();

    await page.goto('/search');
    await page.getByRole('button', { name: 'Streams: All streams' }).click();
    await page.getByText(/more streams: type to find them/).waitFor();
    expect(await page.getByRole('group', { name: 'Streams' }).getByRole('checkbox').count()).toBeLessThan(
      110,
    );
    await page.getByRole('textbox', { name: 'Find a stream' }).fill('bulk 0987');
    await page.getByLabel('Bulk 0987').check();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Streams: Bulk 0987' }).waitFor();

    await page.keyboard.press('ControlOrMeta+k');
    // One word: several could be a time, which the server is asked for.
    await page.getByRole('textbox', { name: 'Go to or do' }).fill('0986');
    await page.getByRole('button', { name: 'Search Bulk 0986' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Streams: Bulk 0986' }).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  const audit = async (page: Page) => accessibilityProblemsOfTheme(page);
  test.each([
    ['light', 1440, 900],
    ['dark', 390, 844],
  ] as const)('axe finds nothing: %s, %d wide', async (colorScheme, width, height) => {
    const id = await createStream({
      title: `Audited ${colorScheme} ${width}`,
      rules: [rule(4, 'level', '4')],
    });
    const options = { colorScheme, viewport: { width, height }, reducedMotion: 'reduce' } as const;
    const { page, complaints, streams } = await open('/streams?find=audited', options);
    await streams.row('Audited').first().waitFor();
    const problems = await audit(page);
    await page.goto('/streams/new?q=level:3+AND+tiemout~');
    await page.getByText('has no rule.').waitFor();
    problems.push(...(await audit(page)));
    await page.goto(`/streams/${id}/rules`);
    await streams.summary.waitFor();
    await streams.fillRule(0, { value: '3' });
    await page.getByRole('region', { name: 'Not applied yet' }).waitFor();
    problems.push(...(await audit(page)));
    await page.goto(`/streams/${id}/settings`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText(/all rights to it are lost/).waitFor();
    problems.push(...(await audit(page)));
    expect(problems).toEqual([]);
    expect(await tooWide(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
