import { describe, expect, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { accessibilityProblems } from '../support/accessibility.ts';
import { whyNoBrowser } from '../support/browser.ts';
import { callApi } from '../support/node-api.ts';
import { nodeInBrowser } from '../support/node-in-browser.ts';
import { searchControls } from '../support/search-controls.ts';
import { searchPage } from '../support/search-page.ts';

const noBrowser = whyNoBrowser();
const ALL_MESSAGES = '000000000000000000000001';

describe.skipIf(noBrowser)(`alerts and outputs of a stream${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  const site = nodeInBrowser({
    settings: { alert_check_interval: '1' },
    seed: async () => {
      const now = Date.now() / 1000;
      const messages = Array.from({ length: 20 }, (_, at) => ({
        short_message: `request ${at}`,
        level: at % 2 === 0 ? 3 : 6,
        timestamp: now - 30 - at,
      }));
      await site.send(...messages);
      await site.stored(20);
    },
  });

  test('walk 19: an alert is made of a search, tried on history, opens and is resolved', async () => {
    const { page, complaints } = await site.open('/search?q=level:3&t=1h');
    await searchPage(page).found('10 messages');
    await searchControls(page).openMore(/Make an alert/);
    const preview = page.getByRole('region', { name: 'Last 24 hours' });
    const sentence = page.getByRole('group', {
      name: 'When Threshold type Threshold messages match Query in Time range minutes.',
    });
    await sentence.waitFor();
    expect(await sentence.getByRole('textbox', { name: 'Query' }).inputValue()).toBe('level:3');
    await preview.getByText(/It would have alerted 1 time/).waitFor();
    const threshold = page.getByRole('textbox', { name: /^Threshold(?! type)/ });
    await threshold.fill('900');
    await preview.getByText('It would not have alerted.').waitFor();
    await page.getByRole('textbox', { name: 'Title' }).fill('Errors on the web');
    await page.getByRole('textbox', { name: /^Time range/ }).fill('600');
    await threshold.fill('9');
    await preview.getByText(/It would have alerted 1 time/).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save and watch' }).click();

    await page.waitForURL(`**/streams/${ALL_MESSAGES}/alerts`);
    const conditions = page.getByRole('region', { name: 'Conditions' });
    await conditions.getByText('More than 9 messages matching level:3 in 600 minutes.').waitFor();
    await conditions.getByRole('button', { name: 'Test' }).click();
    await conditions.getByText('It is true now.').waitFor();
    const openAlerts = page.getByRole('region', { name: 'Open alerts' });
    await eventually(async () => {
      const { body } = await callApi(site.address, 'GET', '/streams/alerts/paginated?state=unresolved');
      expect(body.total).toBe(1);
    });
    await page.reload();
    await openAlerts.getByText('Errors on the web').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);

    // Muted and changed, it no longer matches: the alert is over.
    await conditions.getByRole('button', { name: 'Mute 1 hour' }).click();
    await conditions.getByText('muted').waitFor();
    await conditions.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('heading', { name: 'Errors on the web' }).waitFor();
    await page.getByRole('textbox', { name: /^Time range/ }).fill('601');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await conditions.getByText('in 601 minutes.').waitFor();
    await openAlerts.getByRole('button', { name: 'Resolve' }).click();
    await page.getByRole('region', { name: 'Past alerts' }).getByText('Errors on the web').first().waitFor();
    await conditions.getByRole('button', { name: 'Delete' }).click();
    await conditions.getByRole('form').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No condition watches this stream').waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('an output is made, says why it fails, is detached and attached', async () => {
    const { page, complaints } = await site.open(`/streams/${ALL_MESSAGES}/outputs`, { colorScheme: 'dark' });
    await page.getByText('This stream is not sent anywhere').waitFor();
    await page.getByRole('button', { name: 'New output' }).click();
    const form = page.getByRole('region', { name: 'New output' });
    await form.getByRole('combobox', { name: 'Type' }).click();
    await page.getByRole('option', { name: /^GELF/ }).first().click();
    await form.getByRole('textbox', { name: 'Title' }).fill('Archive');
    await form.getByRole('textbox', { name: /host/i }).fill('127.0.0.1');
    await form.getByRole('textbox', { name: /^(?:Destination )?port/i }).fill('1');
    await form.getByRole('button', { name: 'Create and attach' }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'Archive' });
    await row.getByText(/Cannot connect to 127\.0\.0\.1:1/).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await row.getByRole('button', { name: 'Detach' }).click();
    await row.getByRole('form').getByRole('button', { name: 'Detach' }).click();
    await row.waitFor({ state: 'hidden' });
    await page.getByRole('combobox', { name: 'Attach an output' }).click();
    await page.getByRole('option', { name: 'Archive' }).click();
    await page.getByRole('button', { name: 'Attach', exact: true }).click();
    await row.waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('rules that are not applied are not left by accident', async () => {
    const { body } = await callApi(site.address, 'POST', '/streams', {
      title: 'Errors',
      index_set_id: (await callApi(site.address, 'GET', '/system/indices/index_sets')).body.index_sets[0].id,
      rules: [{ field: 'level', type: 4, value: '4' }],
    });
    const { page, complaints } = await site.open(`/streams/${body.stream_id}/rules`);
    const value = page.getByRole('combobox', { name: 'Value' });
    await value.fill('5');
    await page.getByRole('tab', { name: 'Alerts' }).click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Stay' }).click();
    await question.waitFor({ state: 'hidden' });
    expect(await value.inputValue()).toBe('5');
    await page.getByRole('tab', { name: 'Alerts' }).click();
    expect(await accessibilityProblems(page)).toEqual([]);
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL('**/alerts');
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
