import { toast } from './toast.ts';

/** The clipboard is missing on pages without TLS; then it says so. */
export async function copyText(text: string, what = 'Copied'): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(what);
  } catch {
    toast('The browser does not let this page use the clipboard.');
  }
}
