import { describe, expect, it } from '@jest/globals';
import { ERROR_STATUS } from '../error-values.js';
import { errorTitle, isRegressed } from './error-group.js';

const NOON = new Date('2026-03-01T12:00:00Z');
const LATER = new Date('2026-03-01T12:00:01Z');
const { unresolved, resolved, ignored } = ERROR_STATUS;

describe('the title of an error', () => {
  it.each<[type: string | null, value: string | null, title: string]>([
    ['TypeError', 'x is undefined', 'TypeError: x is undefined'],
    ['TypeError', null, 'TypeError'],
    [null, 'Disk full\non /dev/sda', 'Disk full'],
    ['Error', '\n  at once  \n', 'Error: at once'],
    [null, null, 'checkout(cart)'],
    [null, ' ', 'checkout(cart)'],
    ['E', 'x'.repeat(300), `E: ${'x'.repeat(252)}`],
    [null, `${'x'.repeat(254)}😀`, 'x'.repeat(254)],
  ])('of type %j and value %j is %j', (type, value, title) => {
    expect(errorTitle({ type, value, culprit: 'checkout(cart)' })).toBe(title);
  });
});

describe('an error that came back', () => {
  const at = (status: number, regressedAt: Date | null, statusChangedAt: Date | null): boolean =>
    isRegressed({ status, regressedAt, statusChangedAt });

  it('is regressed when an event reopened it after it was resolved', () => {
    expect(at(unresolved, LATER, NOON)).toBe(true);
    expect(at(unresolved, NOON, NOON)).toBe(true);
    expect(at(unresolved, NOON, null)).toBe(true);
  });

  it('is not regressed without a resolution, nor after a later change', () => {
    expect(at(unresolved, null, NOON)).toBe(false);
    expect(at(unresolved, NOON, LATER)).toBe(false);
    expect(at(resolved, LATER, NOON)).toBe(false);
    expect(at(ignored, LATER, NOON)).toBe(false);
  });
});
