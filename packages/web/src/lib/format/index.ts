export * from './numbers.ts';
export * from './sentence.ts';
export * from './words.ts';
