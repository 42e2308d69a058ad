import { requestedPart } from '../../lib/lazy-part.tsx';
import { paletteKeys } from './held-keys.ts';

/** Parts of the shell that nobody sees before asking for them, and how to ask. */

const palette = requestedPart(async () => {
  try {
    return (await import('./palette/palette.tsx')).Palette;
  } catch (error) {
    paletteKeys.release();
    throw error;
  }
});
export const Palette = palette.Part;
export const openPalette = () => {
  if (palette.request()) paletteKeys.hold();
};

const keysOverlay = requestedPart(async () => (await import('./keys-overlay.tsx')).KeysOverlay);
export const KeysOverlay = keysOverlay.Part;
export const openKeysOverlay = keysOverlay.request;
