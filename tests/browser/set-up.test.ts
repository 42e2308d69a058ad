/** Somebody who has never seen it sets everything up by browser alone; a second person finds only what they may see. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { startSmtpReceiver } from '../../packages/server/src/testing/smtp-receiver.ts';
import { alertsPage } from '../support/alerts-page.ts';
import { openBrowser, whyNoBrowser } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { indexSetsPage } from '../support/index-sets-page.ts';
import { inputsPage } from '../support/inputs-page.ts';
import { callApi, KNOWN_PASSWORD } from '../support/node-api.ts';
import { type NodeProcess, startNode } from '../support/node-process.ts';
import { outputsPage } from '../support/outputs-page.ts';
import { pipelinesPage } from '../support/pipelines-page.ts';
import { searchPage } from '../support/search-page.ts';
import { streamsPage } from '../support/streams-page.ts';
import { usersPage } from '../support/users-page.ts';
import { loginForm, openWatchedPage } from '../support/web-page.ts';

const noBrowser = whyNoBrowser();
const RULE = `rule "number of the order"
when
  has_field("message")
then
  set_fields(grok("order %{INT:order}", to_string($message.message), true));
end`;
const PATIENCE = { timeoutMs: 240_000, intervalMs: 500 };

describe.skipIf(noBrowser)(
  `from nothing to alerts, by browser alone${noBrowser ? ` (${noBrowser})` : ''}`,
  () => {
    let browser: Browser;
    let second: NodeProcess;
    let secondAddress: string;

    beforeAll(async () => {
      second = startNode({}, { env: KNOWN_PASSWORD });
      [secondAddress, browser] = await Promise.all([second.ready(), openBrowser()]);
    });
    afterAll(async () => {
      await browser?.close();
      second?.kill();
      await second?.exited();
    });

    async function logIn(address: string, user: string, password: string) {
      const opened = await openWatchedPage(browser, address, { reducedMotion: 'reduce' });
      await opened.page.goto('/');
      await loginForm(opened.page).logIn(user, password);
      await opened.page.getByRole('heading', { name: 'Log in' }).waitFor({ state: 'hidden' });
      return opened;
    }
    const go = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first().click();

    test('input, retention, stream, a field out of the text, alert by mail, output to a second node, and a reader of just that stream', async () => {
      const smtp = await startSmtpReceiver();
      const node = startNode(
        {
          alert_check_interval: '1',
          transport_email_enabled: 'true',
          transport_email_hostname: '127.0.0.1',
          transport_email_port: String(smtp.port),
          transport_email_use_tls: 'false',
        },
        { env: KNOWN_PASSWORD },
      );
      try {
        const address = await node.ready();
        const { page, complaints, forbidden } = await logIn(address, 'admin', 'river');
        const port = await makeInput(page);
        await makeIndexSet(page);
        await makeStream(page);
        await makePipeline(page);
        await openStream(page);
        await makeAlert(page);
        await makeOutput(page, await second.inputPort('GELF TCP'));
        await makeReader(page);
        expect(forbidden).toEqual([]);
        expect(complaints).toEqual([]);
        await page.context().close();

        const send = async (text: string, app: string) => {
          const body = JSON.stringify({
            version: '1.1',
            host: 'web-1',
            short_message: text,
            level: 3,
            _app: app,
          });
          expect((await fetch(`http://127.0.0.1:${port}/gelf`, { method: 'POST', body })).status).toBe(202);
        };
        await send('nobody may see this', 'secret');
        await send('payment of order 4711 failed', 'shop');
        // The test was a mail as well.
        await eventually(
          () =>
            expect(smtp.mails.map((mail) => [mail.to, mail.header('subject')])).toContainEqual([
              ['ops@example.org'],
              expect.stringContaining('Shop errors'),
            ]),
          PATIENCE,
        );
        await eventually(async () => {
          const found = await callApi(
            secondAddress,
            'GET',
            '/search/universal/relative?query=payment&range=3600',
          );
          expect(found.body.total_results).toBeGreaterThan(0);
        }, PATIENCE);
        const others = await callApi(
          secondAddress,
          'GET',
          '/search/universal/relative?query=nobody&range=3600',
        );
        expect(others.body.total_results).toBe(0);
        await readerFindsOnlyTheirs(address);
      } finally {
        node.kill();
        await node.exited();
      }
    });

    async function makeInput(page: Page): Promise<number> {
      const inputs = inputsPage(page);
      const port = await freePort('tcp');
      await go(page, 'Inputs');
      await go(page, 'New input');
      await inputs.chooseType('GELF HTTP');
      await inputs.title.fill('Applications');
      await page.getByRole('textbox', { name: 'Bind address' }).fill('127.0.0.1');
      await inputs.port.fill(String(port));
      await inputs.start.click();
      await page.getByRole('heading', { name: 'Applications' }).waitFor();
      await page.getByText('running', { exact: true }).waitFor();
      return port;
    }

    async function makeIndexSet(page: Page): Promise<void> {
      const sets = indexSetsPage(page);
      await go(page, 'Index sets');
      await go(page, 'New index set');
      await page.getByLabel('Title').fill('Thirty days');
      await page.getByLabel('Prefix of its indices').fill('thirty');
      await sets.choose('A new index begins', 'After a time');
      await page.getByLabel('Rotation period', { exact: true }).fill('P1D');
      await page.getByLabel('Maximum number of indices').fill('30');
      await sets.preview.getByText('Rotates daily, keeps 30: about 30 days.').waitFor();
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByRole('heading', { level: 1, name: 'Thirty days' }).waitFor();
    }

    async function makeStream(page: Page): Promise<void> {
      const streams = streamsPage(page);
      await go(page, 'Streams');
      await go(page, 'New stream');
      await streams.title.fill('Shop');
      await streams.fillRule(0, { field: 'app', condition: 'is exactly', value: 'shop' });
      await page.locator('summary', { hasText: 'Settings' }).click();
      await page.getByRole('combobox', { name: 'Index set' }).click();
      await page.getByRole('option', { name: /Thirty days/ }).click();
      await page.getByRole('button', { name: 'Save and start' }).click();
      await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor();
      await page.getByText('running').first().waitFor();
    }

    async function openStream(page: Page): Promise<void> {
      await go(page, 'Streams');
      await page.getByRole('heading', { level: 1, name: 'Streams' }).waitFor();
      await go(page, 'Shop');
      await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor();
    }

    async function makePipeline(page: Page): Promise<void> {
      const pipelines = pipelinesPage(page);
      await go(page, 'Pipelines');
      // The page of the stream has a tab of that name as well.
      await page.getByRole('heading', { level: 1, name: 'Pipelines' }).waitFor();
      await pipelines.openTab('Rules');
      await go(page, 'New rule');
      await pipelines.paste(RULE);
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByRole('heading', { name: 'number of the order' }).waitFor();
      await page.waitForURL(/pipelines\/rules\/\w{24}$/);
      await go(page, 'Pipelines');
      await go(page, 'New pipeline');
      await page.getByLabel('Name', { exact: true }).fill('Orders');
      await pipelines.choose('Add a rule to stage 0', 'number of the order');
      await page.getByRole('link', { name: 'number of the order' }).waitFor();
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByText('It is connected to no stream:').waitFor();
      await pipelines.choose('Connected streams', 'Shop');
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      await page.getByText('It is connected to no stream').waitFor({ state: 'hidden' });
    }

    async function makeAlert(page: Page): Promise<void> {
      const alerts = alertsPage(page);
      await page.getByRole('tab', { name: 'Alerts' }).click();
      await go(page, 'New condition');
      await page.getByRole('textbox', { name: 'Title' }).fill('Shop errors');
      // So long that it is still open when the reader comes.
      await page.getByRole('textbox', { name: /^Time range/ }).fill('60');
      await page
        .getByRole('region', { name: 'Last 24 hours' })
        .getByText('It would not have alerted.')
        .waitFor();
      await page.getByRole('button', { name: 'Save and watch' }).click();
      await go(page, 'New notification');
      await alerts.chooseType(/^E-mail/);
      await page.getByRole('textbox', { name: 'Title' }).fill('Mail to operations');
      const addresses = page.getByRole('combobox', { name: /^Addresses/ });
      await addresses.fill('ops@example.org');
      await addresses.press('Enter');
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await alerts.entry('Mail to operations').getByRole('button', { name: 'Send test' }).click();
      await alerts.entry('Mail to operations').getByText('The test was sent.').waitFor();
    }

    async function makeOutput(page: Page, port: number): Promise<void> {
      const outputs = outputsPage(page);
      await go(page, 'Outputs');
      await go(page, 'New output');
      await page.getByRole('combobox', { name: 'Type' }).click();
      await page.getByRole('option', { name: /^GELF/ }).first().click();
      await outputs.title.fill('Second node');
      await page.getByRole('textbox', { name: /host/i }).fill('127.0.0.1');
      await page.getByRole('textbox', { name: /^(?:Destination )?port/i }).fill(String(port));
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByText('No stream uses this output').waitFor();
      await outputs.attach('Shop');
      await page.getByRole('table', { name: 'Streams' }).getByText('Shop').waitFor();
    }

    async function makeReader(page: Page): Promise<void> {
      await go(page, 'Users');
      await go(page, 'New user');
      await page.getByLabel('User name').fill('rea');
      await page.getByLabel('Full name').fill('Rea Der');
      await page.getByLabel('E-mail').fill('rea@example.org');
      await page.getByLabel('Password', { exact: true }).fill('reader-river');
      await usersPage(page).addStream('Shop');
      await page.getByRole('button', { name: 'Create user' }).click();
      await page.getByRole('heading', { level: 1, name: 'rea' }).waitFor();
    }

    async function readerFindsOnlyTheirs(address: string): Promise<void> {
      const { page, complaints, forbidden } = await logIn(address, 'rea', 'reader-river');
      await page.goto('/search?q=order%3A4711&t=1h');
      await searchPage(page).found('1 message');
      await searchPage(page).row('payment of order 4711 failed').waitFor();
      expect(await page.getByText('nobody may see this').count()).toBe(0);
      // Every page that the rail offers can be read.
      const rail = page.getByRole('navigation').first().getByRole('link');
      const names = (await rail.allTextContents()).map((name) => name.trim()).filter((name) => name !== '');
      expect(names).toEqual(expect.arrayContaining(['Search', 'Streams', 'Alerts']));
      expect(names).not.toContain('Users');
      for (let at = 0; at < (await rail.count()); at += 1) {
        const target = (await rail.nth(at).getAttribute('href')) ?? '';
        await rail.nth(at).click();
        await page.waitForURL((url) => url.pathname.startsWith(target.replace(/[?#].*/, '')));
        await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
        expect(await page.getByText('You may not do this').count(), target).toBe(0);
      }
      await go(page, 'Streams');
      await streamsPage(page).row('Shop').waitFor();
      expect(await streamsPage(page).row('All messages').count()).toBe(0);
      await go(page, 'Alerts');
      await page.getByRole('link', { name: 'Shop errors' }).first().click();
      await alertsPage(page)
        .region('Messages of its window')
        .getByText('payment of order 4711 failed')
        .waitFor();
      await alertsPage(page).region('Who was told').getByText('Mail to operations').first().waitFor();
      expect(forbidden).toEqual([]);
      expect(complaints).toEqual([]);
      await page.context().close();
    }
  },
);
