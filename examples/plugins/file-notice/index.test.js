import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { testPlugin } from '@millrace/plugin-api/testing';
import plugin from './index.js';

const tested = testPlugin(plugin, { 'file-notice': { file: '/tmp/notices' } });

tested.notificationSuite('file-notice', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'file-notice-'));
  const file = path.join(folder, 'notices');
  const remove = () => rm(folder, { recursive: true, force: true });
  return {
    configuration: { file },
    received: () => readFile(file, 'utf8'),
    goAway: remove,
    close: remove,
  };
});
