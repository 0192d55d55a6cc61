/** Something that opens the API until it is revoked. */
export interface Revocable {
  headers: Record<string, string>;
  /** Resolves with the acknowledgement. */
  revoke(): Promise<unknown>;
}

/**
 * Milliseconds from the acknowledgement until the last request was sent that another process still
 * let through; 0 = none was. The time that requests themselves take is no part of it.
 */
export async function revocationWindow(
  url: string,
  { headers, revoke }: Revocable,
): Promise<number> {
  if (!(await isLetIn(url, headers))) throw new Error('It does not work to begin with');
  await revoke();
  const acknowledgedAt = performance.now();
  for (let last = 0; ;) {
    const sentAfter = performance.now() - acknowledgedAt;
    if (!(await isLetIn(url, headers))) return last;
    if (sentAfter > 5_000) throw new Error('It is never refused');
    last = sentAfter;
  }
}

/** The value that this share of the numbers does not exceed. */
export function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
}

async function isLetIn(url: string, headers: Record<string, string>): Promise<boolean> {
  const response = await fetch(`${url}/api/v4/user`, { headers });
  await response.arrayBuffer();
  if (response.status === 200) return true;
  if (response.status === 401) return false;
  throw new Error(`GET /user answered ${response.status}`);
}
