/** A narrow space that does not break, between thousands. */
const GROUP = '\u202f';
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const threeDigits = new Intl.NumberFormat('en', { maximumSignificantDigits: 3, useGrouping: false });

/** `1 204 332` */
export function formatCount(count: number): string {
  return whole.format(count).replaceAll(',', GROUP);
}

/** `1.2 k`, `81 M`: where there is no room for all digits. */
export function formatShort(value: number): string {
  return scaled(value, 1000, ['', 'k', 'M', 'G', 'T']);
}

/** `412 MB`: thousands, as disks and networks are sold. */
export function formatBytes(bytes: number): string {
  return scaled(bytes, 1000, ['B', 'kB', 'MB', 'GB', 'TB', 'PB']);
}

/** `41/s`, `12.4 k/s` */
export function formatRate(perSecond: number): string {
  return `${perSecond > 0 && perSecond < 1 ? '<1' : formatShort(perSecond)}/s`;
}

/** `4.1 %` of a share between 0 and 1. A share that is not nothing is never shown as nothing. */
export function formatShare(share: number): string {
  if (share > 0 && share < 0.001) return '<0.1 %';
  const percent = share * 100;
  return `${percent < 10 ? Math.round(percent * 10) / 10 : Math.round(percent)} %`;
}

/** `1 message`, `2 messages` */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

function scaled(value: number, step: number, units: readonly string[]): string {
  let amount = value;
  let unit = 0;
  while (Math.abs(Number(threeDigits.format(amount))) >= step && unit < units.length - 1) {
    amount /= step;
    unit += 1;
  }
  return `${threeDigits.format(amount)}${units[unit] === '' ? '' : `${GROUP}${units[unit]}`}`;
}
