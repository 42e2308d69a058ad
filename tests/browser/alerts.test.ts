import { describe, expect, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { startHttpReceiver } from '../../packages/server/src/testing/http-receiver.ts';
import { accessibilityProblems } from '../support/accessibility.ts';
import { alertsPage } from '../support/alerts-page.ts';
import { whyNoBrowser } from '../support/browser.ts';
import { writePastAlerts } from '../support/many-alerts.ts';
import { callApi } from '../support/node-api.ts';
import { type NodeInBrowser, nodeInBrowser } from '../support/node-in-browser.ts';
import { tooWide } from '../support/too-wide.ts';
import { leaveWithMouse } from '../support/web-page.ts';

const noBrowser = whyNoBrowser();
const ALL_MESSAGES = '000000000000000000000001';
const ALL_EVENTS = '000000000000000000000002';
const HOSTILE = '<img src=x onerror=alert(1)> 🦊 \u202eevil';
const HTTP = 'org.graylog2.alarmcallbacks.HTTPAlarmCallback';
const PATIENCE = { timeoutMs: 90_000, intervalMs: 200 };

describe.skipIf(noBrowser)(`the pages of alerts in Chromium${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  const site = nodeInBrowser({
    settings: { alert_check_interval: '1', notification_allowed_networks: '127.0.0.1' },
  });

  async function open(...asked: Parameters<NodeInBrowser['open']>) {
    const opened = await site.open(...asked);
    return { ...opened, alerts: alertsPage(opened.page) };
  }
  async function call(method: 'POST' | 'PUT', path: string, body?: unknown) {
    const answer = await callApi(site.address, method, path, body);
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  }
  async function send(text: string, app: string) {
    await site.send({ short_message: text, level: 3, _app: app });
  }
  async function createStream(title: string, app: string): Promise<string> {
    const { stream_id: id } = await call('POST', '/streams', {
      title,
      index_set_id: ALL_MESSAGES,
      rules: [{ field: 'app', type: 1, value: app }],
    });
    await call('POST', `/streams/${id}/resume`);
    return id;
  }
  test('an alert: its value, its messages, who was told; what failed is sent again; it is resolved', async () => {
    const receiver = await startHttpReceiver();
    receiver.answer(404, {}, 'no such hook');
    const streamId = await createStream('Shop', 'shop');
    const { page, complaints, alerts } = await open('/alerts');
    await page.getByText('No alert is open').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await alerts.openTab('Notifications');
    await page.getByText('Nothing waits.').waitFor();
    await alerts.openTab('Conditions');
    await page.getByText('Nothing is watched').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);

    await page.getByRole('link', { name: 'New condition' }).first().click();
    await page.getByRole('combobox', { name: 'Stream' }).fill('Shop');
    await page.getByRole('option', { name: 'Shop', exact: true }).click();
    await page.getByRole('textbox', { name: 'Title' }).fill('Shop errors');
    await page
      .getByRole('region', { name: 'Last 24 hours' })
      .getByText('It would not have alerted.')
      .waitFor();
    await page.getByRole('button', { name: 'Save and watch' }).click();
    await page.waitForURL(`**/streams/${streamId}/alerts`);
    await alerts.region('Notifications').getByText('Nobody is told').waitFor();
    await alerts.region('Notifications').getByRole('link', { name: 'New notification' }).click();
    await alerts.chooseType(/^HTTP/);
    await page.getByRole('textbox', { name: 'Title' }).fill('Hook');
    await page.getByRole('textbox', { name: /^URL/ }).fill(receiver.url);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.waitForURL(`**/streams/${streamId}/alerts`);
    await alerts.entry('Hook').getByRole('button', { name: 'Send test' }).click();
    await alerts
      .entry('Hook')
      .getByText(/no such hook/)
      .waitFor();
    await alerts.entry('Hook').getByText('test failed', { exact: true }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);

    await send('payment failed', 'shop');
    await page.goto('/alerts');
    const row = alerts.entry('Shop errors');
    await row.getByText('Shop', { exact: true }).waitFor();
    await row.getByText(/open \d/).waitFor();
    await page.getByRole('tab', { name: 'Open 1' }).waitFor();
    await row.getByRole('img').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await row.getByRole('link', { name: 'Shop errors' }).click();

    await page.getByRole('heading', { name: 'Shop errors' }).waitFor();
    await alerts.region('Value over time').getByRole('img').waitFor();
    await alerts.region('Messages of its window').getByText('payment failed').waitFor();
    const told = page.getByRole('table', { name: 'Who was told' });
    await told.getByText(/no such hook/).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    receiver.answer(200);
    await told.getByRole('button', { name: 'Send again' }).click();
    await told.getByText('delivered').waitFor();
    expect(receiver.calls.at(-1)?.body).toContain('Shop errors');
    await alerts.region('Messages of its window').getByRole('link', { name: 'Search it' }).click();
    await page.getByRole('grid').getByText('payment failed').first().waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('resolved', { exact: true }).first().waitFor();
    await page.goto('/alerts/past');
    await alerts.entry('Shop errors').first().getByText(/ for /).waitFor();
    // The event of the alert shows what happened around it, whatever has sent that.
    await page.goto(`/search?s=${ALL_EVENTS}&t=1h`);
    await page.getByRole('grid').getByText('Shop errors').first().click();
    await page.keyboard.press('a');
    const around = page.getByRole('grid', { name: 'Messages around this one' });
    await around.getByText('payment failed').waitFor();
    await page.goto((await page.getByRole('link', { name: 'Open alone' }).getAttribute('href')) ?? '');
    await around.getByText('payment failed').waitFor();
    expect(
      complaints.filter(
        (text) => !text.includes('/test has a status of 500') && !/status of 500.*\/test$/.test(text),
      ),
    ).toEqual([]);
    await page.context().close();
  });

  test('a preview that takes long says how far it is, is cancelled and begins again; another condition ends it', async () => {
    const streamId = await createStream('Slow', 'slow');
    const { page, complaints } = await open('/alerts');
    const path = '**/alerts/conditions/preview';
    // Leaving the first page may end requests of that one, too.
    const ended: string[] = [];
    page.on('requestfailed', (request) => {
      if (request.url().endsWith(path.slice(2))) ended.push(request.url());
    });
    await page.route(path, () => undefined);
    await page.goto(`/alerts/conditions/new?s=${streamId}`);
    const region = page.getByRole('region', { name: 'Last 24 hours' });
    await region.getByText('Looking at the messages of the last 24 hours: 0 %').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('textbox', { name: /^Time range/ }).fill('7');
    await eventually(() => expect(ended).toHaveLength(1));
    await region.getByRole('button', { name: 'Cancel' }).click();
    await region.getByText('You stopped looking').waitFor();
    await eventually(() => expect(ended).toHaveLength(2));
    await page.unroute(path);
    await region.getByRole('button', { name: 'Look again' }).click();
    await region.getByText('It would not have alerted.').waitFor();
    // Nothing was asked for: a notification is for the stream that has all messages.
    await page.goto('/alerts/notifications/new');
    const owner = page.getByRole('combobox', { name: 'For the alerts of' });
    await eventually(async () => expect(await owner.inputValue()).toBe('All messages'));
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('notifications: what waits is cancelled, one is changed with a question before leaving, and deleted', async () => {
    const receiver = await startHttpReceiver();
    receiver.answer(503, {}, 'maintenance');
    const streamId = await createStream(`${HOSTILE} ${'x'.repeat(150)}`, 'queue');
    const channel = { type: HTTP, title: `Pager ${HOSTILE}`, configuration: { url: receiver.url } };
    await call('POST', `/streams/${streamId}/alarmcallbacks`, channel);
    await call('POST', `/streams/${streamId}/alerts/conditions`, {
      type: 'message_count',
      title: `Waits ${HOSTILE}`,
      parameters: { threshold: 0, time: 60 },
    });
    await send('waits', 'queue');
    await eventually(async () => {
      const { body } = await callApi(site.address, 'GET', '/alerts/queue');
      // The alert of another test may have come back, and its receiver is gone.
      const errors = body.deliveries.map(({ error }: { readonly error: string | null }) => error);
      expect(errors).toContainEqual(expect.stringContaining('maintenance'));
    }, PATIENCE);

    const { page, complaints, alerts } = await open('/alerts/notifications', { colorScheme: 'dark' });
    const waiting = alerts.region('Waiting to be sent');
    await waiting.getByText(/maintenance/).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await waiting.getByRole('button', { name: 'Cancel all' }).click();
    await waiting.getByRole('form').getByRole('button', { name: 'Cancel all' }).click();
    await waiting.getByText('Nothing waits.').waitFor();
    await alerts.region('Sent in the last 30 days').getByText('cancelled', { exact: true }).first().waitFor();

    const entry = alerts.entry('Pager');
    receiver.answer(200);
    await entry.getByRole('button', { name: 'Send test' }).click();
    await entry.getByText('The test was sent.').waitFor();
    await entry.getByRole('link', { name: 'Edit' }).click();
    const title = page.getByRole('textbox', { name: 'Title' });
    await title.fill('Night pager');
    await page.getByRole('link', { name: 'Streams' }).first().click();
    await page
      .getByRole('dialog', { name: 'Leave without saving?' })
      .getByRole('button', { name: 'Stay' })
      .click();
    expect(await title.inputValue()).toBe('Night pager');
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await save.click();
    await page.getByRole('heading', { name: 'Night pager' }).waitFor();
    await save.and(page.locator(':focus')).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('form').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL('**/alerts/notifications');
    await entry.waitFor({ state: 'hidden' });

    await page.goto('/alerts');
    await alerts.entry('Waits').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await alerts.entry('Waits').getByRole('link', { name: /Waits/ }).click();
    await alerts.region('Messages of its window').getByText('waits').waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('ten thousand past alerts are found, sorted and paged by the server', async () => {
    writePastAlerts(site.node.dataDir, { count: 10_000, title: 'Old trouble', streamId: ALL_MESSAGES });
    const { page, complaints, alerts } = await open('/alerts/past');
    await page.getByText(/^1–25 of 10.00\d alerts$/).waitFor();
    await alerts.find.fill('trouble 00042');
    await alerts.entry('Old trouble 00042').waitFor();
    expect(await page.getByRole('list', { name: 'Past alerts' }).getByRole('listitem').count()).toBe(1);
    await alerts.find.fill('trouble');
    await page.getByRole('combobox', { name: 'Order' }).click();
    await page.getByRole('option', { name: 'Oldest first' }).click();
    await alerts.entry('Old trouble 00000').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    // An address behind the end leads to the last page.
    await page.goto('/alerts/past?find=trouble&page=9999');
    await page.getByText(/^9.976–10.000 of 10.000 alerts$/).waitFor();
    await page.waitForURL('**page=400');
    await page.goto('/alerts/nothing');
    await page.getByRole('heading', { name: 'There is no such alert' }).waitFor();
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
    await page.context().close();
  });

  test('a reader of one stream sees its alerts only, on a phone too, and nothing leads to 403', async () => {
    const own = await createStream('Own', 'own');
    const other = await createStream('Secret stream', 'other');
    const url = 'http://127.0.0.1:1/';
    for (const [id, title] of [
      [own, 'Own condition'],
      [other, 'Secret condition'],
    ]) {
      await call('POST', `/streams/${id}/alarmcallbacks`, {
        type: HTTP,
        title: `${title} hook`,
        configuration: { url },
      });
      const parameters = { threshold: 0, time: 60 };
      await call('POST', `/streams/${id}/alerts/conditions`, { type: 'message_count', title, parameters });
    }
    await send('mine', 'own');
    await send('not yours', 'other');
    await eventually(async () => {
      const { body } = await callApi(
        site.address,
        'GET',
        '/streams/alerts/paginated?state=unresolved&query=condition',
      );
      expect(body.total).toBe(2);
    }, PATIENCE);
    await call('POST', '/users', {
      username: 'rea',
      password: 'reader-river',
      email: 'rea@example.org',
      full_name: 'Rea',
      roles: ['Reader'],
      permissions: [`streams:read:${own}`],
    });

    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;
    const { page, complaints, forbidden, alerts } = await open('/alerts', phone, 'rea', 'reader-river');
    await alerts.entry('Own condition').waitFor();
    const nothingSecret = async () => {
      await leaveWithMouse(page);
      expect(await page.getByText(/Secret/).count()).toBe(0);
      expect(await tooWide(page)).toEqual([]);
      expect(await accessibilityProblems(page)).toEqual([]);
    };
    await nothingSecret();
    const resolve = page.getByRole('button', { name: 'Resolve Own condition' });
    expect(await resolve.getAttribute('aria-disabled')).toBe('true');
    await alerts.entry('Own condition').getByRole('link', { name: 'Own condition' }).tap();
    await alerts.region('Messages of its window').getByText('mine').waitFor();
    await alerts.region('Who was told').getByText('Own condition hook').waitFor();
    await nothingSecret();
    await page.goto('/alerts/conditions');
    await alerts.entry('Own condition').waitFor();
    await nothingSecret();
    await page.goto('/alerts/notifications');
    await alerts.entry('Own condition hook').waitFor();
    await nothingSecret();
    await page.goto('/alerts/notifications/new');
    await page.getByText('Needs streams:edit. Ask an administrator.').waitFor();
    await page.goto(`/streams/${own}/alerts`);
    await alerts.entry('Own condition hook').waitFor();
    await nothingSecret();
    expect(forbidden).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('conditions and notifications are sorted by the server', async () => {
    const streamId = await createStream('Zebra', 'zebra');
    const parameters = { threshold: 0, time: 60 };
    for (const title of ['Sorted second', 'Sorted first']) {
      await call('POST', `/streams/${streamId}/alerts/conditions`, {
        type: 'message_count',
        title,
        parameters,
      });
    }
    for (const [title, type] of [
      ['Sorted b', 'http'],
      ['Sorted a', 'slack'],
    ] as const) {
      const address =
        type === 'http' ? { url: 'http://127.0.0.1:1/' } : { webhook_url: 'http://127.0.0.1:1/' };
      await call('POST', `/streams/${streamId}/alarmcallbacks`, { type, title, configuration: address });
    }
    const { page, complaints } = await open('/alerts/conditions?find=sorted');
    const titles = () =>
      page
        .getByRole('listitem')
        .getByText(/^Sorted \w+$/)
        .allTextContents();
    const sorted = async (order: string, expected: readonly string[]) => {
      await page.getByRole('combobox', { name: 'Order' }).click();
      await page.getByRole('option', { name: order }).click();
      await eventually(async () => expect(await titles()).toEqual(expected), PATIENCE);
    };
    await sorted('Newest first', ['Sorted first', 'Sorted second']);
    await sorted('By title', ['Sorted first', 'Sorted second']);
    expect(new URL(page.url()).searchParams.get('sort')).toBe('title');
    await page.goto('/alerts/notifications?find=sorted');
    await sorted('By kind', ['Sorted b', 'Sorted a']);
    await sorted('By title', ['Sorted a', 'Sorted b']);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
