const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** `1536` → `1.5 kB`; powers of 1000, as disks are sold. */
export function bytesText(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  while (amount >= 999.5 && unit < UNITS.length - 1) {
    amount /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || amount >= 99.95 ? 0 : 1;
  return `${amount.toFixed(digits)} ${UNITS[unit] ?? ''}`;
}

/** `3725` → `1 h 2 min`; the two largest parts, seconds with one decimal below a minute. */
export function durationText(seconds: number): string {
  if (seconds < 60) return `${Number(seconds.toFixed(1))} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** `12345` → `12,345`. */
export function countText(count: number): string {
  return count.toLocaleString('en');
}

/** `1, 'move'` → `1 move`, `2, 'move'` → `2 moves`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${countText(count)} ${count === 1 ? noun : plural}`;
}
