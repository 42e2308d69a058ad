import {
  acceptCompletion,
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  closeCompletion,
  moveCompletionSelection,
  selectedCompletion,
  startCompletion,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, insertNewlineAndIndent } from '@codemirror/commands';
import { LRLanguage, syntaxHighlighting } from '@codemirror/language';
import { setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tagHighlighter, tags } from '@lezer/highlight';
import type { PipelineFunctionView } from '@millrace/contract';
import { ruleParser } from '@millrace/rules';
import { cspNonce } from '../lib/csp-nonce.ts';
import {
  isComplete,
  type RuleSuggestion,
  type RuleWords,
  ruleSuggestions,
  type SourceProblem,
} from '../lib/rule-language/index.ts';
import { tabTakesSuggestion, typingOverSelection } from './code-mirror.ts';
import queryClasses from './query-editor.module.css';
import classes from './rule-editor.module.css';

export interface RuleViewSettings {
  readonly label: string;
  readonly describedBy: string;
  readonly text: string;
  readonly isReadOnly: boolean;
  readonly onChange: (text: string) => void;
  readonly words: () => RuleWords;
}

export interface RuleView {
  readonly setText: (text: string) => void;
  readonly setProblems: (problems: readonly SourceProblem[]) => void;
  /** Takes the focus, with the cursor at this place. */
  readonly goTo: (position: number) => void;
  readonly destroy: () => void;
}

const colours = tagHighlighter([
  { tag: [tags.keyword, tags.logicOperator], class: classes.keyword ?? '' },
  { tag: tags.heading, class: classes.name ?? '' },
  { tag: [tags.string, tags.character], class: classes.text ?? '' },
  { tag: [tags.number, tags.bool], class: classes.literal ?? '' },
  { tag: tags.function(tags.variableName), class: classes.function ?? '' },
  { tag: [tags.propertyName, tags.special(tags.variableName)], class: classes.field ?? '' },
  { tag: tags.labelName, class: classes.literal ?? '' },
  { tag: tags.comment, class: classes.comment ?? '' },
  { tag: tags.invalid, class: classes.invalid ?? '' },
]);

const language = LRLanguage.define({ name: 'rule', parser: ruleParser });

export function createRuleView(parent: HTMLElement, settings: RuleViewSettings): RuleView {
  const { isReadOnly, label, describedBy } = settings;
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: settings.text,
      extensions: [
        EditorView.cspNonce.of(cspNonce()),
        language,
        syntaxHighlighting(colours),
        lineNumbers(),
        history(),
        EditorView.lineWrapping,
        EditorState.readOnly.of(isReadOnly),
        EditorView.contentAttributes.of({
          'aria-label': label,
          'aria-describedby': describedBy,
          'aria-readonly': String(isReadOnly),
          tabindex: '0',
          spellcheck: 'false',
          autocapitalize: 'off',
        }),
        typingOverSelection,
        suggestions(settings),
        tabTakesSuggestion(),
        keymap.of([...ruleKeys, ...historyKeymap, ...defaultKeymap]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) settings.onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    setText(text) {
      if (view.state.doc.toString() === text) return;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    setProblems(problems) {
      const end = view.state.doc.length;
      const diagnostics = problems.map(({ from, to, message }) => ({
        from: Math.min(from, end),
        to: Math.min(Math.max(to, from + 1), end),
        severity: 'error' as const,
        message,
      }));
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    goTo(position) {
      view.dispatch({
        selection: { anchor: Math.min(position, view.state.doc.length) },
        scrollIntoView: true,
      });
      view.focus();
    },
    destroy: () => view.destroy(),
  };
}

/** Nothing is chosen until somebody chooses, so Enter always begins a line. */
function suggestions({ words }: RuleViewSettings) {
  const source = (context: CompletionContext): CompletionResult | null => {
    const before = context.state.sliceDoc(0, context.pos);
    const found = ruleSuggestions(before, words(), context.explicit);
    if (found === undefined) return null;
    const validFor = (text: string, _from: number, to: number, state: EditorState) =>
      /^[$\w]*$/.test(text) && (context.explicit || !isComplete(state.sliceDoc(0, to)));
    return { from: found.from, options: found.options.map(optionOf), validFor };
  };
  return autocompletion({
    override: [source],
    selectOnOpen: false,
    defaultKeymap: false,
    icons: false,
    interactionDelay: 0,
    tooltipClass: () => queryClasses.suggestions ?? '',
  });
}

function optionOf({ label, text, detail, about, kind }: RuleSuggestion): Completion {
  const cursor = text.indexOf('|');
  const insert = text.replace('|', '');
  return {
    label,
    detail,
    type: kind,
    ...(about === undefined ? {} : { info: () => infoOf(about) }),
    apply: (view, _completion, from, to) => {
      view.dispatch({
        changes: { from, to, insert },
        selection: { anchor: from + (cursor < 0 ? insert.length : cursor) },
        userEvent: 'input.complete',
      });
      if (insert.endsWith('.')) startCompletion(view);
    },
  };
}

/** What a function does and takes, beside the list. */
function infoOf({ name, description, params, return_type }: PipelineFunctionView): HTMLElement {
  const info = element('div', classes.info, '');
  const shown = params.map(({ name: each, optional }) => (optional ? `[${each}]` : each)).join(', ');
  info.append(element('div', classes.signature, `${name}(${shown}): ${return_type}`));
  info.append(element('p', undefined, description));
  const list = element('dl', undefined, '');
  for (const { name: each, type, optional, description: about } of params) {
    list.append(element('dt', undefined, `${each}: ${type}${optional ? ', optional' : ''}`));
    if (about !== '') list.append(element('dd', undefined, about));
  }
  if (params.length > 0) info.append(list);
  return info;
}

function element(tag: string, className: string | undefined, text: string): HTMLElement {
  const made = document.createElement(tag);
  if (className !== undefined) made.className = className;
  made.textContent = text;
  return made;
}

const ruleKeys = [
  {
    key: 'Enter',
    run: (view: EditorView) => {
      if (selectedCompletion(view.state) !== null && acceptCompletion(view)) return true;
      closeCompletion(view);
      return insertNewlineAndIndent(view);
    },
  },
  { key: 'ArrowDown', run: moveCompletionSelection(true) },
  { key: 'ArrowUp', run: moveCompletionSelection(false) },
  { key: 'Mod-Space', run: startCompletion },
  { key: 'Escape', run: closeCompletion },
];
