import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { aNotice } from '#testing/alert-notice.ts';
import { notificationContext, sendNotice } from '#testing/notification-fixture.ts';
import { scriptNotification } from './notification.ts';
import { createScriptRunner } from './runner.ts';

function folderWith(scripts: Record<string, string>): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'millrace-scripts-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  for (const [name, content] of Object.entries(scripts)) {
    fs.writeFileSync(path.join(folder, name), `#!/bin/sh\n${content}\n`, { mode: 0o755 });
  }
  return folder;
}

function send(folder: string | undefined, configuration: Record<string, unknown>, notice = aNotice()) {
  const context = notificationContext({ scripts: createScriptRunner(folder) });
  return sendNotice(scriptNotification, configuration, notice, context);
}

test('a script gets its arguments and the notice, and no shell reads them', async () => {
  const folder = folderWith({ 'tell.sh': 'printf "%s\\n" "$@" > args; cat > stdin; env > env' });
  const notice = aNotice({ resultDescription: '$(touch hacked); `id` "' });
  await send(folder, { script_path: 'tell.sh', script_args: ['${event.message}', 'fixed arg'] }, notice);
  const read = (name: string) => fs.readFileSync(path.join(folder, name), 'utf8');
  expect(read('args')).toBe('$(touch hacked); `id` "\nfixed arg\n');
  expect(JSON.parse(read('stdin'))).toMatchObject({ event_definition_title: 'Too many errors' });
  expect(read('env')).not.toMatch(/HOME|NODE/);
  expect(fs.existsSync(path.join(folder, 'hacked'))).toBe(false);
});

test('scripts are off unless there is a folder', async () => {
  await expect(send(undefined, { script_path: 'tell.sh' })).rejects.toMatchObject({
    isRetryable: false,
    isSetup: true,
    message: expect.stringContaining('notification_scripts_dir'),
  });
});

test('only files of the folder itself run', async () => {
  const folder = folderWith({ 'good.sh': 'true' });
  const outside = folderWith({ 'bad.sh': 'true' });
  fs.symlinkSync(path.join(outside, 'bad.sh'), path.join(folder, 'link.sh'));
  fs.mkdirSync(path.join(folder, 'sub'));
  await send(folder, { script_path: 'good.sh' });
  await expect(send(folder, { script_path: 'link.sh' })).rejects.toThrow(/is not a file in/);
  await expect(send(folder, { script_path: 'sub' })).rejects.toThrow(/is not a file in/);
  await expect(send(folder, { script_path: 'absent.sh' })).rejects.toThrow(/there is no script/);
  for (const name of ['../bad.sh', '/bin/sh', 'sub/x', '..\\x']) {
    expect(scriptNotification.problemsOf({ script_path: name }), name).toMatchObject([
      { path: 'script_path' },
    ]);
  }
});

test('a script that fails or hangs can be tried again', async () => {
  const folder = folderWith({ 'fail.sh': 'echo no network >&2; exit 3', 'hang.sh': 'exec sleep 60' });
  await expect(send(folder, { script_path: 'fail.sh' })).rejects.toMatchObject({
    isRetryable: true,
    message: 'fail.sh ended with exit code 3: no network',
  });
  await expect(send(folder, { script_path: 'hang.sh', script_timeout: 100 })).rejects.toMatchObject({
    isRetryable: true,
    message: 'hang.sh did not end within 100 ms',
  });
});
