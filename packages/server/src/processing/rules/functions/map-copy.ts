import { defineFunction, required } from '../define.ts';

export const mapCopyFunction = defineFunction({
  name: 'map_copy',
  description: 'A copy of a map.',
  params: [required('map', 'Map', 'The map.')],
  returns: 'Map',
  call: (_, map) => new Map(map),
});
