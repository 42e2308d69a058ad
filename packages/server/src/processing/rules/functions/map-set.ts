import { defineFunction, nullable, required } from '../define.ts';

export const mapSetFunction = defineFunction({
  name: 'map_set',
  description: 'A map with one more entry.',
  params: [
    required('map', 'Map', 'The map.'),
    required('key', 'String', 'The key.'),
    nullable('value', 'Object', 'The value.'),
  ],
  returns: 'Map',
  call: (_, map, key, value) => new Map(map).set(key, value),
});
