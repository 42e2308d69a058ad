/** Ways to write a value into a text of another language so that it stays a value. */

export const asIs = (text: string): string => text;

const HTML: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => HTML[character] ?? character);
}

/** For between the quotes of a JSON text. */
export function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** For a name or a value of a form body or a query. */
export function escapeForm(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** One line without control characters: for headers, subjects, titles. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

/** At most so many characters, with a mark where something was left out. Does not cut a character in half. */
export function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Slack reads `&`, `<` and `>` as its own marks: `<!channel>` would alert everybody. */
export function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** For Markdown as Teams cards and ntfy read it: marks become text. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+!|<>~]/g, '\\$&');
}
