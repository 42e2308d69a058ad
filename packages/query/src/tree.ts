/** The tree of the parser as plain objects. */
import type { Tree } from '@lezer/common';
import type { TextSpan } from './ast.ts';

export interface Part extends TextSpan {
  /** A name of the grammar. */
  readonly name: string;
  readonly children: readonly Part[];
}

interface OpenPart extends Part {
  readonly children: OpenPart[];
}

/** The tree, and the depth of its brackets. Not recursive, because the text decides how deep the tree is. */
export function partsOf(tree: Tree): { readonly root: Part; readonly nesting: number } {
  const root: OpenPart = { name: 'Query', from: 0, to: tree.length, children: [] };
  const path = [root];
  let nesting = 0;
  let deepest = 0;
  tree.iterate({
    enter: (node) => {
      if (node.type.isTop) return;
      const part: OpenPart = { name: node.type.name, from: node.from, to: node.to, children: [] };
      path.at(-1)?.children.push(part);
      path.push(part);
      if (part.name === 'Group') deepest = Math.max(deepest, ++nesting);
    },
    leave: (node) => {
      if (node.type.isTop) return;
      if (path.pop()?.name === 'Group') nesting--;
    },
  });
  return { root, nesting: deepest };
}
