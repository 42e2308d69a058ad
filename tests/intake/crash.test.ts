import fs from 'node:fs';
import { expect, test } from 'vitest';
import { crashRounds } from '../support/crash-rounds.ts';
import { temporaryDirectory } from '../support/node-process.ts';

test('what was answered with 202 is in the journal once, however often the process is killed', async () => {
  const journalDirectory = temporaryDirectory('millrace-crash-');
  const result = await crashRounds({
    journalDirectory,
    kills: 4,
    workers: 2,
    httpSenders: 8,
    tcpConnections: 4,
    tcpMessages: 20_000,
    acknowledgedPerRound: 200,
  });
  fs.rmSync(journalDirectory, { recursive: true });
  expect(result.lost).toEqual([]);
  expect(result.repeated).toEqual([]);
  expect(result.invented).toEqual([]);
  expect(result.acknowledged).toBeGreaterThan(0);
  // Besides what was acknowledged, messages of TCP connections are there.
  expect(result.journaled).toBeGreaterThan(result.acknowledged);
  // A torn end of a file may be cut; a loss must not be reported.
  expect(result.incidents.filter((incident) => !/^incident tail_cut 0:/.test(incident))).toEqual([]);
});
