/** What all editors with colours need. */
import { EditorView } from '@codemirror/view';

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
