/** How a state looks; each tone has a colour and a sign of its own. */
export type StateTone = 'ok' | 'warn' | 'danger' | 'info' | 'dim';
