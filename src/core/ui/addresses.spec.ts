import { describe, expect, it } from '@jest/globals';
import { filledAddress } from './addresses.js';

describe('an address', () => {
  it('holds the parameters that say something, in their order', () => {
    const query = { search: 'a&b c', label: '', page: 2, sort: null, author: undefined, at: 0 };
    expect(filledAddress('/issues', query)).toBe('/issues?search=a%26b+c&page=2&at=0');
    expect(filledAddress('/issues', { label: '' })).toBe('/issues');
  });
});
