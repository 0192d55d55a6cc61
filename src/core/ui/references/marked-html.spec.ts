import { describe, expect, it } from '@jest/globals';
import { textWithCode } from './marked-html.js';

describe('text with code', () => {
  it.each([
    ['run `npm ci` now', 'run <code>npm ci</code> now'],
    ['``a `b` c``', '<code>a `b` c</code>'],
    ['`` ` ``', '<code>`</code>'],
    ['`<b>`', '<code>&lt;b&gt;</code>'],
    ["`this' and `that'", "`this' and `that'"],
    ['`one\ntwo`', '`one\ntwo`'],
    ['`` ', '`` '],
  ])('is %j', (text, html) => {
    expect(textWithCode(text)).toBe(html);
  });

  it('is plain, and found so at once, where no run of backticks has a partner', () => {
    const runs = Array.from({ length: 2_000 }, (_, length) => '`'.repeat(length + 1));
    const text = runs.join('a');
    expect(textWithCode(text)).toBe(text);
  });
});
