export type { Shortcut } from './key-map.ts';
export * from './key-names.ts';
export * from './use-shortcuts.tsx';
