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
/**
 * The tree without comments and punctuation, how deep it is, and how deep the expressions that are made of it. Not
 * recursive, because the text decides how deep that is.
 */
export function partsOf(tree: Tree): {
  readonly root: Part;
  readonly nesting: number;
  readonly depth: number;
} {
  const root: OpenPart = { name: 'RuleFile', from: 0, to: tree.length, isError: false, children: [] };
  const path = [root];
  /** Of what is inside of each part of the path. */
  const depths = [0];
  let deepest = 0;
  tree.iterate({
    enter: (node) => {
      if (node.type.isTop) return;
      if (COMMENTS.has(node.type.name) || PUNCTUATION.test(node.type.name)) return false;
      const { name, isError } = node.type;
      const part: OpenPart = { name, from: node.from, to: node.to, isError, children: [] };
      path.at(-1)?.children.push(part);
      path.push(part);
      depths.push(0);
      deepest = Math.max(deepest, path.length - 1);
    },
    leave: (node) => {
      if (node.type.isTop) return;
      const depth = (depths.pop() ?? 0) + levelsOf(path.pop());
      depths.push(Math.max(depths.pop() ?? 0, depth));
    },
  });
  return { root, nesting: deepest, depth: depths[0] ?? 0 };
}

/** Between two operands of a sum is an operator, and each of them is one more level. */
function levelsOf(part: Part | undefined): number {
  return part?.name === 'Addition' ? part.children.length >> 1 : 1;
}
