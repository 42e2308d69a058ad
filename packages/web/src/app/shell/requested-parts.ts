import { requestedPart } from '../../lib/lazy-part.tsx';

/** Parts of the shell that nobody sees before asking for them, and how to ask. */

const palette = requestedPart(async () => (await import('./palette/palette.tsx')).Palette);
export const Palette = palette.Part;
export const openPalette = palette.request;

const keysOverlay = requestedPart(async () => (await import('./keys-overlay.tsx')).KeysOverlay);
export const KeysOverlay = keysOverlay.Part;
export const openKeysOverlay = keysOverlay.request;
