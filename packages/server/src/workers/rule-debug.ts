import type { Clock } from '#core/index.ts';

const MAX_LENGTH = 1000;
const MAX_PER_SECOND = 20;

/**
 * What the function `debug()` of rules writes to the log. A rule may call it for every message, with any text of a
 * sender, so long texts are cut, and the next line says how many were left out.
 */
export function createRuleDebug(write: (text: string) => void, monotonic: Clock): (text: string) => void {
  let since = monotonic.now();
  let written = 0;
  let leftOut = 0;
  return (text) => {
    const now = monotonic.now();
    if (now - since >= 1000) {
      if (leftOut > 0) {
        write(
          `PIPELINE DEBUG: ${leftOut} texts were left out; at most ${MAX_PER_SECOND} a second are written`,
        );
      }
      since = now;
      written = 0;
      leftOut = 0;
    }
    if (written >= MAX_PER_SECOND) {
      leftOut += 1;
      return;
    }
    written += 1;
    const rest = text.length - MAX_LENGTH;
    write(rest > 0 ? `${text.slice(0, MAX_LENGTH)}… (${rest} more characters)` : text);
  };
}
