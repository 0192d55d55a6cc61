import { describe, expect, it } from '@jest/globals';
import { changesBetween } from './audit.service.js';

describe('what changed', () => {
  it.each([
    [{ a: 1 }, { a: 2 }, { a: { from: 1, to: 2 } }],
    [{ a: 1, b: 1 }, { b: 2 }, { b: { from: 1, to: 2 } }],
    [{ a: 1 }, { a: undefined }, {}],
    [{ a: 1 }, { a: null }, { a: { from: 1, to: null } }],
    [{}, { a: 1 }, { a: { from: null, to: 1 } }],
    [{}, { a: null }, {}],
    [{ list: ['x'] }, { list: ['x'] }, {}],
    [{ list: ['x'] }, { list: [] }, { list: { from: ['x'], to: [] } }],
    [
      { canCreateGroup: true },
      { canCreateGroup: false },
      { can_create_group: { from: true, to: false } },
    ],
  ])('from %j to %j is %j', (before, after, changes) => {
    expect(changesBetween<Record<string, unknown>>(before, after)).toEqual(changes);
  });

  it('records the beginning of a long text, also if only the rest changed', () => {
    const [from, to] = ['x'.repeat(300), `${'x'.repeat(300)}y`];
    const cut = `${'x'.repeat(255)}…`;
    expect(changesBetween({ text: from }, { text: to })).toEqual({ text: { from: cut, to: cut } });
  });
});
