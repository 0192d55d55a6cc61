import { describe, expect, it } from '@jest/globals';
import type { InvalidParamsError } from '../errors.js';
import { parsePaging } from './paging.decorator.js';

function errorOf(page: unknown, perPage: unknown): unknown {
  try {
    return parsePaging(page, perPage);
  } catch (error) {
    return (error as InvalidParamsError).body['error'];
  }
}

describe('page and per_page', () => {
  it.each([
    [undefined, undefined, { page: 1, perPage: 20 }],
    ['3', '50', { page: 3, perPage: 50 }],
    ['0', '500', { page: 1, perPage: 100 }],
    ['-4', '-4', { page: 1, perPage: 20 }],
    ['', '', { page: 1, perPage: 20 }],
  ])('reads page %p and per_page %p as %p', (page, perPage, expected) => {
    expect(parsePaging(page, perPage)).toEqual(expected);
  });

  it.each([
    ['x', '1', 'page is invalid'],
    ['1', 'x', 'per_page is invalid'],
    ['x', 'y', 'page is invalid, per_page is invalid'],
    ['1', '0', 'per_page has a value not allowed'],
  ])('refuses page %p and per_page %p', (page, perPage, error) => {
    expect(errorOf(page, perPage)).toBe(error);
  });
});
