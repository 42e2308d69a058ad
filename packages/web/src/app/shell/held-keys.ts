/** What somebody types before the field that it is meant for is there. */
export interface HeldKeys {
  /** From now on keys are kept, and do nothing else. Nothing happens once the field has been there. */
  readonly hold: () => void;
  /** The field cannot come, or nobody wants it any more: keys are for the page again. */
  readonly release: () => void;
  /** The field is there: what was meant for it, once. */
  readonly take: () => Held;
}

export interface Held {
  readonly text: string;
  /** Enter was pressed after it. */
  readonly isEntered: boolean;
}

/** What takes longer may never come. */
const LONGEST_MS = 10_000;

export function createHeldKeys(target: EventTarget = globalThis): HeldKeys {
  let text = '';
  let isEntered = false;
  let wasThere = false;
  let limit: ReturnType<typeof setTimeout> | undefined;
  const onKeyDown = (event: Event) => {
    const { key } = event as KeyboardEvent;
    if (key === 'Escape') return release();
    const isTyped = isCharacter(event as KeyboardEvent);
    if (!isTyped && key !== 'Backspace' && key !== 'Enter') return;
    event.preventDefault();
    event.stopImmediatePropagation();
    // What comes after it is for whatever it leads to, which is not there either.
    if (isEntered) return;
    if (isTyped) text += key;
    else if (key === 'Enter') isEntered = true;
    else text = text.slice(0, -1);
  };
  const release = () => {
    target.removeEventListener('keydown', onKeyDown, true);
    clearTimeout(limit);
    limit = undefined;
    text = '';
    isEntered = false;
  };
  return {
    hold() {
      if (wasThere) return;
      target.addEventListener('keydown', onKeyDown, true);
      limit ??= setTimeout(release, LONGEST_MS);
    },
    release,
    take() {
      const taken = { text, isEntered };
      wasThere = true;
      release();
      return taken;
    },
  };
}

/** AltGr makes characters, too, and reports itself as Ctrl and Alt. */
function isCharacter(event: KeyboardEvent): boolean {
  const isCommand = event.ctrlKey || event.metaKey || event.altKey;
  return event.key.length === 1 && (!isCommand || event.getModifierState('AltGraph'));
}

/** For the palette. */
export const paletteKeys = createHeldKeys();
