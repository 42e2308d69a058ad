import { expect, test } from 'vitest';
import { sqlLines } from './sql-lines.ts';

test('each clause and each term stands on a line of its own', () => {
  const sql =
    "SELECT id, timestamp FROM `millrace`.`messages` PREWHERE timestamp >= {from:DateTime64(3)} AND timestamp < {to:DateTime64(3)} WHERE (level <= 3 OR source = 'a AND b') ORDER BY timestamp DESC LIMIT 100";
  expect(sqlLines(sql)).toBe(
    [
      'SELECT id, timestamp',
      'FROM `millrace`.`messages`',
      'PREWHERE timestamp >= {from:DateTime64(3)}',
      '  AND timestamp < {to:DateTime64(3)}',
      "WHERE (level <= 3 OR source = 'a AND b')",
      'ORDER BY timestamp DESC',
      'LIMIT 100',
    ].join('\n'),
  );
});

test('a statement inside of another one is set in; quotes keep what is in them', () => {
  expect(sqlLines("SELECT count() FROM (SELECT 1 WHERE x = 'it''s FROM (here' AND y) LIMIT 1")).toBe(
    [
      'SELECT count()',
      'FROM (',
      '  SELECT 1',
      "  WHERE x = 'it''s FROM (here'",
      '    AND y',
      ')',
      'LIMIT 1',
    ].join('\n'),
  );
});

test('nothing but space is changed', () => {
  const sql = "SELECT\n  a,   b, 'x  y'\nFROM t -- odd 'quote";
  expect(sqlLines(sql).replaceAll(/\s/g, '')).toBe(sql.replaceAll(/\s/g, ''));
});
