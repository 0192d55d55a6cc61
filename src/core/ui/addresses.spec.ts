import { describe, expect, it } from '@jest/globals';
import { filledAddress } from './addresses.js';
import { addressOfTerms } from './filter-terms.js';

describe('an address', () => {
  it('holds the parameters that say something, in their order', () => {
    const query = { search: 'a&b c', label: '', page: 2, sort: null, author: undefined, at: 0 };
    expect(filledAddress('/issues', query)).toBe('/issues?search=a%26b+c&page=2&at=0');
    expect(filledAddress('/issues', { label: '' })).toBe('/issues');
  });
});

const RULES = {
  names: ['label', 'assignee'],
  lists: ['label'],
  is: { closed: { state: 'closed' } },
};

function addressOf(search: string, query: Record<string, unknown> = {}): string | null {
  return addressOfTerms('/list', { ...query, search }, RULES);
}

describe('typed terms of a filter', () => {
  it.each([
    ['label:bug', '/list?label=bug'],
    ['cart label:bug is:closed total', '/list?search=cart+total&label=bug&state=closed'],
    ['label:bug LABEL:"needs help"', '/list?label=bug%2Cneeds+help'],
    ['assignee:"Ada"', '/list?assignee=Ada'],
  ])('become parameters: %s', (search, address) => {
    expect(addressOf(search)).toBe(address);
  });

  it.each(['cart', '', 'is:lost', 'http://example.com', 'label: bug'])(
    'are no words without a meaning: %s',
    (search) => expect(addressOf(search)).toBeNull(),
  );

  it('replace a parameter, or join its list, and lead to the first page', () => {
    const query = { label: 'ui', assignee: 'ada', page: '3', state: 'opened' };
    expect(addressOf('label:bug assignee:jo', query)).toBe(
      '/list?label=ui%2Cbug&assignee=jo&state=opened',
    );
  });
});
