import { describe, expect, it } from '@jest/globals';
import { draftTitle, isDraft, readyTitle } from './drafts.js';

describe('drafts', () => {
  it('are known by how their title begins', () => {
    for (const title of ['Draft: x', ' draft:x', '[Draft] x', '(DRAFT) x']) {
      expect([title, isDraft(title), readyTitle(title)]).toEqual([title, true, 'x']);
    }
    for (const title of ['A draft: x', 'Drafty: x', 'Draft x']) {
      expect([title, isDraft(title), readyTitle(title)]).toEqual([title, false, title]);
    }
  });

  it('are marked once, and lose every mark', () => {
    expect(draftTitle('x')).toBe('Draft: x');
    expect(draftTitle('[draft] x')).toBe('[draft] x');
    expect(draftTitle(' ')).toBe(' ');
    expect(readyTitle('Draft: [Draft] draft: x')).toBe('x');
  });
});
