export * from './numbers.ts';
export * from './sentence.ts';
