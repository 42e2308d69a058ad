import type { Page } from 'playwright-core';

/** The pages of the cluster and of one node. */
export function overviewPage(page: Page) {
  return {
    leader: page.getByRole('table', { name: 'Nodes' }).getByRole('row', { name: /leader/ }),
    question: page.getByRole('form'),
    openTab: (name: string) => page.getByRole('tab', { name, exact: true }).click(),
    async choose(item: string) {
      const menu = item === 'Shut down' ? /^More for / : 'Load balancer';
      await page.getByRole('button', { name: menu }).click();
      await page.getByRole('menuitem', { name: item }).click();
    },
  };
}
