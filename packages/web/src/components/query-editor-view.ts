import {
  acceptCompletion,
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  closeCompletion,
  completionStatus,
  moveCompletionSelection,
  selectedCompletion,
  startCompletion,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { LRLanguage, syntaxHighlighting } from '@codemirror/language';
import { setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, placeholder } from '@codemirror/view';
import { tagHighlighter, tags } from '@lezer/highlight';
import { asPhrase, parseQuery, type QueryProblem, queryParser } from '@millrace/query';
import { cspNonce } from '../lib/csp-nonce.ts';
import { domSelection, tabTakesSuggestion, typingOverSelection } from './code-mirror.ts';
import type { Cursor, Suggestion } from './query-box-props.ts';
import classes from './query-editor.module.css';

export interface QueryViewSettings {
  readonly label: string;
  readonly placeholder: string;
  readonly describedBy: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly onRun: (text: string) => void;
  readonly onDown: () => void;
  /** A pasted text that is no query was put in quotes: the whole text without them, and with them. */
  readonly onQuoted: (before: string, after: string) => void;
  readonly complete: (text: string, cursor: number, signal: AbortSignal) => Promise<readonly Suggestion[]>;
}

export interface QueryView {
  readonly setText: (text: string) => void;
  readonly setProblems: (problems: readonly QueryProblem[]) => void;
  readonly focus: () => void;
  /** Takes the focus, with the cursor at this place. */
  readonly takeCursor: (cursor: Cursor) => void;
  readonly destroy: () => void;
}

/** After the last key. */
const SUGGEST_AFTER_MS = 120;

const colours = tagHighlighter([
  { tag: [tags.logicOperator, tags.operator, tags.operatorKeyword], class: classes.operator ?? '' },
  { tag: tags.propertyName, class: classes.field ?? '' },
  { tag: tags.regexp, class: classes.pattern ?? '' },
  { tag: tags.special(tags.string), class: classes.pattern ?? '' },
  { tag: [tags.compareOperator, tags.modifier, tags.squareBracket, tags.paren], class: classes.sign ?? '' },
  { tag: tags.literal, class: classes.literal ?? '' },
  { tag: tags.invalid, class: classes.invalid ?? '' },
]);

const language = LRLanguage.define({ name: 'query', parser: queryParser });

export function createQueryView(parent: HTMLElement, settings: QueryViewSettings): QueryView {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: settings.text,
      extensions: [
        EditorView.cspNonce.of(cspNonce()),
        language,
        syntaxHighlighting(colours),
        history(),
        placeholder(settings.placeholder),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({
          'aria-label': settings.label,
          'aria-describedby': settings.describedBy,
          spellcheck: 'false',
          autocapitalize: 'off',
        }),
        typingOverSelection,
        quotingPaste(settings),
        suggestions(settings),
        tabTakesSuggestion(),
        keymap.of([...queryKeys(settings), ...historyKeymap, ...defaultKeymap]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) settings.onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    setText(text) {
      if (view.state.doc.toString() === text) return;
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        selection: { anchor: text.length },
      });
    },
    setProblems(problems) {
      const end = view.state.doc.length;
      const diagnostics = problems
        .filter(({ at }) => at.from <= end)
        .map(({ at, severity, message }) => ({
          from: Math.min(at.from, end),
          to: Math.min(Math.max(at.to, at.from + 1), end),
          severity,
          message,
        }));
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    focus: () => view.focus(),
    takeCursor({ anchor, head }) {
      const end = view.state.doc.length;
      view.dispatch({ selection: { anchor: Math.min(anchor, end), head: Math.min(head, end) } });
      view.focus();
    },
    destroy: () => view.destroy(),
  };
}

/** A line of a log is often no query: pasted, it is looked for as it is. */
function quotingPaste({ onQuoted }: QueryViewSettings) {
  return EditorView.domEventHandlers({
    paste(event, view) {
      const pasted = event.clipboardData?.getData('text/plain').trim() ?? '';
      if (pasted === '') return false;
      const { from, to } = domSelection(view) ?? view.state.selection.main;
      const text = view.state.doc.toString();
      const plain = `${text.slice(0, from)}${pasted}${text.slice(to)}`;
      if (parseQuery(pasted).query !== undefined || parseQuery(plain).query !== undefined) return false;
      const phrase = asPhrase(pasted.replace(/\s*[\r\n]+\s*/g, ' '));
      event.preventDefault();
      view.dispatch({
        changes: { from, to, insert: phrase },
        selection: { anchor: from + phrase.length },
        userEvent: 'input.paste',
      });
      onQuoted(plain, view.state.doc.toString());
      return true;
    },
  });
}

/** Nothing is chosen until somebody chooses, so Enter always runs what was typed. */
function suggestions({ complete }: QueryViewSettings) {
  const source = async (context: CompletionContext): Promise<CompletionResult | null> => {
    const controller = new AbortController();
    context.addEventListener('abort', () => controller.abort());
    try {
      const items = await complete(context.state.doc.toString(), context.pos, controller.signal);
      const [first] = items;
      if (first === undefined) return null;
      return { from: first.from, to: first.to, options: items.map(optionOf), filter: false };
    } catch {
      // Without suggestions one can still type.
      return null;
    }
  };
  return autocompletion({
    override: [source],
    selectOnOpen: false,
    defaultKeymap: false,
    icons: false,
    activateOnTypingDelay: SUGGEST_AFTER_MS,
    interactionDelay: 0,
    tooltipClass: () => classes.suggestions ?? '',
  });
}

function optionOf({ kind, text, label, detail, from, to }: Suggestion): Completion {
  return {
    label,
    detail,
    type: kind,
    apply: (view) => {
      view.dispatch({
        changes: { from, to: Math.max(to, view.state.selection.main.head), insert: text },
        selection: { anchor: from + text.length },
        userEvent: 'input.complete',
      });
      if (kind === 'field') startCompletion(view);
      else closeCompletion(view);
    },
  };
}

function queryKeys({ onRun, onDown }: QueryViewSettings) {
  return [
    {
      key: 'Enter',
      run: (view: EditorView) => {
        if (selectedCompletion(view.state) !== null && acceptCompletion(view)) return true;
        closeCompletion(view);
        onRun(view.state.doc.toString());
        return true;
      },
      shift: (view: EditorView) => {
        view.dispatch(view.state.replaceSelection('\n'));
        return true;
      },
    },
    {
      key: 'ArrowDown',
      run: (view: EditorView) => {
        if (completionStatus(view.state) === 'active') return moveCompletionSelection(true)(view);
        if (view.state.doc.lines > 1) return false;
        onDown();
        return true;
      },
    },
    { key: 'ArrowUp', run: moveCompletionSelection(false) },
    { key: 'Mod-Space', run: startCompletion },
    {
      key: 'Escape',
      run: (view: EditorView) => {
        if (!closeCompletion(view)) view.contentDOM.blur();
        return true;
      },
    },
  ];
}
