import { type RefObject, useEffect, useRef, useState } from 'react';

const nameOf = (element: Element) => element.getAttribute('aria-label') ?? element.textContent;

/**
 * Gives the focus to a question when it appears, and back when it is gone: to what asked it, or to the button of the same
 * name that stands in its place again.
 */
export function useQuestionFocus(
  question: RefObject<HTMLElement | null>,
  { isWanted, isBusy }: { readonly isWanted: boolean; readonly isBusy: boolean },
): void {
  // Before it is drawn: what was pressed may be gone then.
  const [pressed] = useState(() => document.activeElement);
  const first = () => question.current?.querySelector<HTMLElement>('[data-first]')?.focus();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it appears
  useEffect(() => {
    const place = question.current?.parentElement;
    let asker = pressed;
    if (!isWanted || !place) return;
    const takeFromMenu = ({ target }: FocusEvent) => {
      if (target instanceof Element) asker = target;
      first();
    };
    // A menu gives the focus back to its button after it has closed.
    if (asker?.closest('[role=menu]')) document.addEventListener('focusin', takeFromMenu, { once: true });
    else first();
    return () => {
      document.removeEventListener('focusin', takeFromMenu);
      // Somebody may have gone elsewhere meanwhile.
      if (asker === null || document.activeElement !== document.body) return;
      const name = nameOf(asker);
      const again = asker.isConnected
        ? asker
        : [...place.querySelectorAll('button')].find((button) => nameOf(button) === name);
      if (again instanceof HTMLElement) again.focus();
    };
  }, []);
  // A button that waits for an answer cannot keep the focus.
  const wasBusy = useRef(isBusy);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end of the wait is what this is about
  useEffect(() => {
    if (wasBusy.current && !isBusy && document.activeElement === document.body) first();
    wasBusy.current = isBusy;
  }, [isBusy]);
}
