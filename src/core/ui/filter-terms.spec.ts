import { describe, expect, it } from '@jest/globals';
import { addressOfTerms } from './filter-terms.js';

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
