import { expect, test } from 'vitest';
import { outputCreation } from './creation.ts';

const gelf = { title: 'archive', type: 'gelf', configuration: { hostname: 'a' } };

test('an output that was made but not attached is only attached the next time', async () => {
  const steps: string[] = [];
  let isAttachable = false;
  const createAndAttach = outputCreation({
    create: async ({ title }) => {
      steps.push(`create ${title}`);
      return `id ${steps.length}`;
    },
    attach: async (id) => {
      if (!isAttachable) throw new Error('The stream is away.');
      steps.push(`attach ${id}`);
    },
  });
  await expect(createAndAttach(gelf)).rejects.toThrow('The stream is away.');
  await expect(createAndAttach({ ...gelf })).rejects.toThrow('The stream is away.');
  isAttachable = true;
  await createAndAttach(gelf);
  expect(steps).toEqual(['create archive', 'attach id 1']);
  // Another one, and the same one once more after all went well.
  await createAndAttach({ ...gelf, title: 'other' });
  await createAndAttach(gelf);
  expect(steps.slice(2)).toEqual(['create other', 'attach id 3', 'create archive', 'attach id 5']);
});
