import { describe, expect, it } from '@jest/globals';
import { isNewerRelease, newestRelease } from './release-order.js';

const seen = (version: string, position: number | null = null) => ({ version, position });

describe('the order of releases', () => {
  it('is that of semantic versions of one package, whenever they were seen', () => {
    const ascending = ['1.9.9', '1.10.0-beta.2', '1.10.0-beta.11', '1.10.0-rc', '1.10.0', '2.0.0'];
    for (const [at, version] of ascending.entries()) {
      for (const [other, older] of ascending.entries()) {
        const [a, b] = [seen(`shop@${version}`, 1), seen(`shop@${older}`, 2)];
        expect([version, older, isNewerRelease(a, b)]).toEqual([version, older, at > other]);
      }
    }
    expect(isNewerRelease(seen('v1.2.4', 1), seen('1.2.3', 2))).toBe(true);
  });

  it('is that of first sight for all others, with unknown releases last', () => {
    expect(isNewerRelease(seen('8f3c', 2), seen('f00d', 1))).toBe(true);
    expect(isNewerRelease(seen('8f3c', 1), seen('f00d', 2))).toBe(false);
    expect(isNewerRelease(seen('api@1.0.0', 5), seen('shop@9.0.0', 4))).toBe(true);
    expect(isNewerRelease(seen('1.0.0+b', 5), seen('1.0.0+a', 4))).toBe(true);
    expect(isNewerRelease(seen('8f3c'), seen('f00d', 2))).toBe(true);
    expect(isNewerRelease(seen('f00d'), seen('f00d', 2))).toBe(false);
  });

  it('makes no hotfix of an old version the newest release', () => {
    const releases = [seen('1.0.0', 1), seen('2.0.0', 2), seen('1.0.1', 3)];
    expect(newestRelease(releases)).toEqual(seen('2.0.0', 2));
    expect(newestRelease([])).toBeNull();
  });
});
