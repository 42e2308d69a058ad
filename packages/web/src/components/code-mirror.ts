/** What all editors with colours need. */
import {
  acceptCompletion,
  completionStatus,
  moveCompletionSelection,
  selectedCompletion,
} from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';

/**
 * Tab takes a suggestion, and otherwise goes on to the next control: a keyboard must find its way out. While those that
 * are shown are being replaced, it stays and takes the first of the new ones.
 */
export function tabTakesSuggestion(): Extension {
  let isAwaited = false;
  return [
    keymap.of([
      {
        key: 'Tab',
        run: (view) => {
          const status = completionStatus(view.state);
          isAwaited = status === 'pending' && showsSuggestions(view);
          return isAwaited || (status === 'active' && takeSuggestion(view));
        },
      },
    ]),
    EditorView.updateListener.of(({ view, state, docChanged, selectionSet, focusChanged }) => {
      if (!isAwaited) return;
      const status = completionStatus(state);
      const isElsewhere = docChanged || selectionSet || focusChanged;
      if (status === 'pending' && !isElsewhere) return;
      isAwaited = false;
      if (status === 'active' && !isElsewhere) takeSuggestion(view);
    }),
  ];
}

/** The one that was chosen, otherwise the first. */
function takeSuggestion(view: EditorView): boolean {
  if (selectedCompletion(view.state) === null) moveCompletionSelection(true)(view);
  return acceptCompletion(view);
}

/** Also old ones, until the new ones are there. */
function showsSuggestions(view: EditorView): boolean {
  return view.dom.querySelector('.cm-tooltip-autocomplete') !== null;
}

/**
 * Left to itself, Chromium keeps the colours of the text that is typed over by writing inline styles, which the
 * content security policy forbids.
 */
export const typingOverSelection = EditorView.domEventHandlers({
  beforeinput(event, view) {
    if (event.inputType !== 'insertText' || event.data === null) return false;
    if (view.composing) return false;
    const selected = domSelection(view);
    if (selected === undefined) return false;
    const { from, to } = selected;
    event.preventDefault();
    view.dispatch({
      changes: { from, to, insert: event.data },
      selection: { anchor: from + event.data.length },
      userEvent: 'input.type',
    });
    return true;
  },
});

/** What the browser has selected: the editor hears of a new selection only after the event that replaces it. */
export function domSelection(view: EditorView): { readonly from: number; readonly to: number } | undefined {
  const selection = view.contentDOM.ownerDocument.getSelection();
  if (selection?.anchorNode == null || selection.focusNode == null || selection.isCollapsed) return undefined;
  if (!view.contentDOM.contains(selection.anchorNode) || !view.contentDOM.contains(selection.focusNode))
    return undefined;
  const anchor = view.posAtDOM(selection.anchorNode, selection.anchorOffset);
  const head = view.posAtDOM(selection.focusNode, selection.focusOffset);
  return { from: Math.min(anchor, head), to: Math.max(anchor, head) };
}
