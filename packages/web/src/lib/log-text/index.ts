export * from './segments.ts';
