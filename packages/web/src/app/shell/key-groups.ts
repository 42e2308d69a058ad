/** Groups of keys that the palette has entries of its own for. */
export const EVERYWHERE = 'Everywhere';
export const PAGES = 'Pages';
