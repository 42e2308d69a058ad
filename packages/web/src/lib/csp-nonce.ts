import { setNonce } from 'get-nonce';

/** The nonce of this page, which style elements need. Browsers show it as a property only, not as an attribute. */
export function cspNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}

/** For the library that stops the page from scrolling below a dialog: it writes a style element. */
export function shareNonce(): void {
  setNonce(cspNonce());
}
