export { helpOf } from './places.ts';
