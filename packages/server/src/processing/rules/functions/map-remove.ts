import { defineFunction, required } from '../define.ts';

export const mapRemoveFunction = defineFunction({
  name: 'map_remove',
  description: 'A map without an entry.',
  params: [required('map', 'Map', 'The map.'), required('key', 'String', 'The key.')],
  returns: 'Map',
  call: (_, map, key) => {
    const rest = new Map(map);
    rest.delete(key);
    return rest;
  },
});
