import { describe, expect, it } from '@jest/globals';
import { effortOf } from '../../../../test/support/effort.js';
import { isReferable, referenceOfUrl, referencesIn, withLabelNames } from './reference.js';

const SHA = '7fd1a60b01f91b314f59955a4e4d4e80d8edf11d';

const written = (text: string): string[] =>
  referencesIn(text).map(({ start, end, reference: { kind, project, name } }) => {
    expect(text.slice(start, end)).toContain(name);
    return [kind, project, name].filter(Boolean).join(' ');
  });

describe('referencesIn', () => {
  it.each([
    ['Closes #1, !2 and $3.', ['issue 1', 'merge_request 2', 'snippet 3']],
    ['(#1) "#2" **#3**', ['issue 1', 'issue 2', 'issue 3']],
    ['acme/web-shop#12 a/b/c!3', ['issue acme/web-shop 12', 'merge_request a/b/c 3']],
    ['%v1.0 %"Version 2" a/b%x.', ['milestone v1.0', 'milestone Version 2', 'milestone a/b x']],
    ['@jane, @acme/web. @a-b_c', ['user jane', 'user acme/web', 'user a-b_c']],
    [`${SHA} 7fd1a60 a/b@7fd1a60b`, [`commit ${SHA}`, 'commit 7fd1a60', 'commit a/b 7fd1a60b']],
  ])('finds %s', (text, found) => {
    expect(written(text)).toEqual(found);
  });

  it.each([
    'a#1',
    '##1',
    '#1st',
    '#1.5',
    '$5,000',
    '&#35;',
    'x@y.example',
    '100%sure',
    '#',
    '\\#1',
  ])('finds nothing in %s', (text) => {
    expect(written(text)).toEqual([]);
  });

  it.each(['defaced', '20240101', '550e8400-e29b-41d4-a716-446655440000', 'x7fd1a60b'])(
    'finds no commit in %s',
    (text) => {
      expect(written(text)).toEqual([]);
    },
  );

  it('stays fast for long texts', () => {
    for (const part of ['a/', 'a.', '#', '@a/', '%"', '@a-', 'abcdef1', 'a/b@']) {
      const text = part.repeat(100_000);
      expect(effortOf(() => referencesIn(text))).toBeLessThan(15);
    }
  });
});

describe('referenceOfUrl', () => {
  const base = 'https://git.example';

  it('reads pages of this instance only', () => {
    expect(referenceOfUrl(`${base}/a/b/-/issues/1#note_2`, base)).toEqual({
      reference: { kind: 'issue', project: 'a/b', name: '1' },
      fragment: '#note_2',
    });
    for (const url of [
      'https://git.example.com/a/b/-/issues/1',
      `${base}/a/b/-/issues/1?x=1`,
      `${base}/a/b/-/issues/abc`,
      `${base}/a/b/-/edit`,
      'javascript:alert(1)',
    ]) {
      expect(referenceOfUrl(url, base)).toBeNull();
    }
    expect(isReferable(`${base}/a/b/-/issues/1`)).toBe(true);
    expect(isReferable(`${base}/a/b`)).toBe(false);
  });
});

describe('withLabelNames', () => {
  it.each([
    ['added ~bug label', 'added **bug** label'],
    ['added ~a\\_b ~"two words" labels', 'added **a\\_b** **two words** labels'],
    [
      'added ~"a b" label and removed ~c ~"d e" labels',
      'added **a b** label and removed **c** **d e** labels',
    ],
    ['added ~"x" label y" label', 'added **x" label y** label'],
    ['removed ~"a" \\~b" ~c labels', 'removed **a" \\~b** **c** labels'],
    ['added ~"a" label and removed \\~b" label', 'added **a" label and removed \\~b** label'],
    ['changed title from **added ~bug** to **x**', 'changed title from **added ~bug** to **x**'],
  ])('reads %s', (note, shown) => {
    expect(withLabelNames(note)).toBe(shown);
  });
});
