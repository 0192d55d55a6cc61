import { describe, expect, it } from '@jest/globals';
import { effortOf } from '../../../test/support/effort.js';
import type { CommitRecord } from '../../git/reading/commits.js';
import { presentCommit } from './commit.response.js';

const PLACE = { path: 'p', namespace: { fullPath: 'n' } } as Parameters<typeof presentCommit>[1];
const PRESENTATION = { baseUrl: 'https://example.com', viewer: null } as Parameters<
  typeof presentCommit
>[2];
const SIGNATURE = { name: 'Ada', email: 'ada@example.com', date: new Date(0) };

function commitWith(trailers: [string, string][]): CommitRecord {
  const { name, email, date } = SIGNATURE;
  return {
    id: 'a'.repeat(40),
    parentIds: [],
    title: 'Title',
    message: 'Title\n',
    authorName: name,
    authorEmail: email,
    authoredDate: date,
    committerName: name,
    committerEmail: email,
    committedDate: date,
    trailers,
  };
}

describe('presentCommit', () => {
  it('collects the values of each key, even half a million of them', () => {
    const many = Array.from({ length: 500_000 }, (_, n): [string, string] => ['Key', String(n)]);
    const commit = commitWith([['__proto__', 'x'], ...many]);
    const present = () => presentCommit(commit, PLACE, PRESENTATION);
    expect(effortOf(present)).toBeLessThan(40);
    const { trailers, extended_trailers: all } = present();
    expect(Object.entries(trailers)).toEqual([
      ['__proto__', 'x'],
      ['Key', '499999'],
    ]);
    expect(Object.keys(all)).toEqual(['__proto__', 'Key']);
    expect(all['Key']).toHaveLength(500_000);
  });
});
