export interface RenderedDocs {
  /** HTML by the name of its file below `/docs/`. */
  readonly pages: ReadonlyMap<string, string>;
  /** The headings of each page that can be linked to. */
  readonly anchors: ReadonlyMap<string, ReadonlySet<string>>;
  /** Links that lead nowhere. */
  readonly problems: readonly string[];
}

export function renderDocs(root: string): RenderedDocs;
