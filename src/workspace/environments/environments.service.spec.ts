import { describe, expect, it } from '@jest/globals';
import { environmentSlug, suffixedSlug } from './environments.service.js';

describe('The slug of an environment', () => {
  it.each(['production', 'a', 'review-1', 'abcdefghijklmnopqrstuvwx'])(
    'is the name %s when it can be',
    (name) => {
      expect(environmentSlug(name)).toBe(name);
    },
  );

  it.each([
    ['Production', /^production-[a-z0-9]{6}$/],
    ['review/fix-foo', /^review-fix-foo-[a-z0-9]{6}$/],
    ['review//fix', /^review-fix-[a-z0-9]{6}$/],
    ['staging-', /^staging-[a-z0-9]{6}$/],
    ['1st', /^env-1st-[a-z0-9]{6}$/],
    ['_x', /^env-x-[a-z0-9]{6}$/],
    ['$', /^env-[a-z0-9]{6}$/],
    ['größe', /^gr-e-[a-z0-9]{6}$/],
    ['abcdefghijklmnopqrstuvwxy', /^abcdefghijklmnopq-[a-z0-9]{6}$/],
    ['abcdefghijklmnop-rstuvwxyz', /^abcdefghijklmnop-[a-z0-9]{6}$/],
  ])('is made of %s', (name, slug) => {
    expect(environmentSlug(name)).toMatch(slug);
    expect(environmentSlug(name).length).toBeLessThanOrEqual(24);
  });

  it('differs each time it is suffixed', () => {
    expect(suffixedSlug('production')).toMatch(/^production-[a-z0-9]{6}$/);
    expect(suffixedSlug('production')).not.toBe(suffixedSlug('production'));
  });
});
