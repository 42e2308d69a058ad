export * from './copies.ts';
export * from './log-message.ts';
export * from './message-text.ts';
