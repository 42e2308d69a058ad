const PRESSES = ['pointerdown', 'keydown'];

/**
 * Whether somebody has pressed anything since the last time this was asked. The lists of a page are asked for by timers and by
 * people alike; without it, whoever only reads and turns pages would be logged out.
 */
export function watchAttention(page: Partial<Pick<EventTarget, 'addEventListener'>>): () => boolean {
  let isPressed = false;
  for (const press of PRESSES) {
    page.addEventListener?.(press, () => (isPressed = true), { capture: true, passive: true });
  }
  return () => {
    const was = isPressed;
    isPressed = false;
    return was;
  };
}
