export * from './copies.ts';
export * from './failures-stream.ts';
export * from './log-message.ts';
export * from './message-text.ts';
export * from './tried-message.ts';
