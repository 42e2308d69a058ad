export * from './built-in-streams.ts';
export * from './copies.ts';
export * from './log-message.ts';
export * from './message-text.ts';
export * from './tried-message.ts';
