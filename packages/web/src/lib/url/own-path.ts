/**
 * Where to go after the log-in: only paths of this site, so that a crafted link cannot send somebody who just
 * typed a password elsewhere. `//host` and `/\host` are other sites to a browser.
 */
export function ownPath(next: string | undefined): string {
  if (next === undefined || !/^\/(?![/\\])[^\p{Cc}]*$/u.test(next)) return '/';
  return /^\/login(?:[/?#]|$)/.test(next) ? '/' : next;
}
