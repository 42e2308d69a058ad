import { expect, test } from 'vitest';
import { madeOnce } from './made-once.ts';

test('what was made but not finished is only finished the next time', async () => {
  const steps: string[] = [];
  let canFinish = false;
  const create = madeOnce(async ({ title }: { readonly title: string }) => {
    steps.push(`create ${title}`);
    return `id ${steps.length}`;
  });
  const createAndFinish = (title: string) =>
    create({ title }, async (id) => {
      if (!canFinish) throw new Error('The stream is away.');
      steps.push(`finish ${id}`);
    });
  await expect(createAndFinish('archive')).rejects.toThrow('The stream is away.');
  await expect(createAndFinish('archive')).rejects.toThrow('The stream is away.');
  canFinish = true;
  expect(await createAndFinish('archive')).toBe('id 1');
  expect(steps).toEqual(['create archive', 'finish id 1']);
  // Another one, and the same one once more after all went well.
  await createAndFinish('other');
  await createAndFinish('archive');
  expect(steps.slice(2)).toEqual(['create other', 'finish id 3', 'create archive', 'finish id 5']);
});
