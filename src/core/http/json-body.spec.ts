import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { jsonMistake } from './json-body.js';

describe('the position of a JSON syntax error', () => {
  it.each([
    ['', 1, 1],
    ['{bad', 1, 2],
    ['{"grant_type"', 1, 14],
    ['{"a": 1,}', 1, 9],
    ['{"a": [1, 2}', 1, 12],
    ['{"a": 1} x', 1, 10],
    ['{"a": 01}', 1, 8],
    ["{'a': 1}", 1, 2],
    ['{"a": "tab\there"}', 1, 11],
    ['{"a": "\\x"}', 1, 8],
    ['{\n  "title": "x"\n  "iid": 1\n}', 3, 3],
    ['[\r\n1,\r\nnul]', 3, 1],
  ])('is found in %j', (text, line, column) => {
    expect(jsonMistake(text)).toBe(`line ${line}, column ${column}`);
  });

  it('is the end of truncated text', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (text, cut) => {
        const whole = `[${text}]`;
        const part = whole.slice(0, cut % whole.length);
        const lines = jsonMistake(part);
        expect(lines).toMatch(/^line \d+, column \d+$/);
        expect(jsonMistake(`${whole}!`)).toBe(`line 1, column ${whole.length + 1}`);
      }),
    );
  });
});
