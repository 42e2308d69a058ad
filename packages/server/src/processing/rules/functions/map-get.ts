import { defineFunction, required } from '../define.ts';

export const mapGetFunction = defineFunction({
  name: 'map_get',
  description: 'A value of a map.',
  params: [required('map', 'Map', 'The map.'), required('key', 'String', 'The key.')],
  returns: 'Object',
  call: (_, map, key) => map.get(key),
});
