/** SQL for AND, with what is known beforehand worked in; parts can be `true` and `false`. */
export function allOf(...parts: readonly string[]): string {
  return joined(parts, { sign: ' AND ', neutral: 'true', decisive: 'false' });
}

/** SQL for OR, with what is known beforehand worked in; parts can be `true` and `false`. */
export function anyOf(...parts: readonly string[]): string {
  return joined(parts, { sign: ' OR ', neutral: 'false', decisive: 'true' });
}

function joined(
  parts: readonly string[],
  { sign, neutral, decisive }: { sign: string; neutral: string; decisive: string },
): string {
  if (parts.includes(decisive)) return decisive;
  const open = parts.filter((part) => part !== neutral);
  if (open.length <= 1) return open[0] ?? neutral;
  return `(${open.map((part) => `(${part})`).join(sign)})`;
}
