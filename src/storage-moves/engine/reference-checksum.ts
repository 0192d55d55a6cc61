import { createHash } from 'node:crypto';

export interface ResolvedReference {
  name: string;
  oid: string;
}

// Unanchored on purpose: this is the checksum other servers of this API compute,
// and they let `refs/remotes/a/refs/heads/b` in.
const COUNTED = /HEAD|(refs\/(heads|tags|keep-around|merge-requests|environments|notes)\/)/;

/**
 * Checksum of a repository's references: the SHA-1 of each line of
 * `git show-ref --head`, all combined by XOR, as 40 hex digits.
 *
 * It does not see HEAD switched between equal branches nor references outside the usual
 * namespaces, so a comparison of the full lists goes with it.
 */
export function referenceChecksum(references: Iterable<ResolvedReference>): string {
  const sum = Buffer.alloc(20);
  for (const { name, oid } of references) {
    const line = `${oid} ${name}`;
    if (!COUNTED.test(line)) continue;
    const digest = createHash('sha1').update(line, 'latin1').digest();
    for (let index = 0; index < sum.length; index += 1) {
      sum[index] = (sum[index] ?? 0) ^ (digest[index] ?? 0);
    }
  }
  return sum.toString('hex');
}
