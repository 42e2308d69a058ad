/** The tree of the parser as plain objects. */
import type { Tree } from '@lezer/common';
import type { TextSpan } from './ast.ts';

export interface Part extends TextSpan {
  /** A name of the grammar. */
  readonly name: string;
  readonly isError: boolean;
  readonly children: readonly Part[];
}

interface OpenPart extends Part {
  readonly children: OpenPart[];
}

const COMMENTS: ReadonlySet<string> = new Set(['LineComment', 'BlockComment']);
/** Brackets and the like have their text as name. */
const PUNCTUATION = /^[^A-Za-z\u26a0]/;
/** The tree without comments and punctuation, and how deep it is. Not recursive, because the text decides how deep that is. */
export function partsOf(tree: Tree): { readonly root: Part; readonly nesting: number } {
  const root: OpenPart = { name: 'RuleFile', from: 0, to: tree.length, isError: false, children: [] };
  const path = [root];
  let deepest = 0;
  tree.iterate({
    enter: (node) => {
      if (node.type.isTop) return;
      if (COMMENTS.has(node.type.name) || PUNCTUATION.test(node.type.name)) return false;
      const { name, isError } = node.type;
      const part: OpenPart = { name, from: node.from, to: node.to, isError, children: [] };
      path.at(-1)?.children.push(part);
      path.push(part);
      deepest = Math.max(deepest, path.length - 1);
    },
    leave: (node) => {
      if (!node.type.isTop) path.pop();
    },
  });
  return { root, nesting: deepest };
}
