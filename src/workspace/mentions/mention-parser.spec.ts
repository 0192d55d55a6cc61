import { describe, expect, it } from '@jest/globals';
import { effortOf } from '../../../test/support/effort.js';
import { mentionsIn } from './mention-parser.js';

describe('mentionsIn', () => {
  it.each<[string, string[]]>([
    ['', []],
    ['no names', []],
    ['@ann', ['ann']],
    ['Hello @Ann, @BOB and @ann.', ['ann', 'bob']],
    ['(@ann) [@bob] **@eve** _@gus_ "@joe"', ['ann', 'bob', 'eve', 'gus', 'joe']],
    ['@ann... @bob-- @eve: @gus’s @joe_', ['ann', 'bob', 'eve', 'gus', 'joe']],
    ['@ann.lee @bob-lee @eve_lee2', ['ann.lee', 'bob-lee', 'eve_lee2']],
    ['@tools/lathe/core, @tools/.', ['tools/lathe/core', 'tools']],
    ['@all of you', ['all']],
    ['@ @@ann @. @_ @-x', []],
    ['\\@ann', []],
  ])('%j names %j', (text, names) => {
    expect(mentionsIn(text)).toEqual(names);
  });

  it.each([
    'ann@example.com',
    'first.@example.com',
    'ann+list@example.com',
    'jörg@example.com',
    '日@ann',
    'https://example.com/@ann',
    'see <https://example.com?to=@ann>',
    '[page](https://example.com/a@ann) and [page](@ann)',
    'npm install node_modules/@ann',
  ])('%j names nobody: it is an address', (text) => {
    expect(mentionsIn(text)).toEqual([]);
  });

  it.each([
    '`@ann`',
    '`` a ` @ann ``',
    '`two\n@ann lines`',
    '```\n@ann\n```',
    '```ts\n@ann\n',
    '~~~~\n```\n~~~\n@ann\n~~~~',
    '    @ann',
    'text\n\n    @ann\n\n    @ann\n',
    '\t@ann',
  ])('%j names nobody: it is code', (text) => {
    expect(mentionsIn(text)).toEqual([]);
  });

  it.each([
    '` @ann',
    '`` @ann `',
    '`\n\n@ann `',
    '```\ncode\n```\n@ann',
    '``` `a` @ann',
    'text\n    @ann',
    '- item\n\n    @ann',
    '1. item\n\n      @ann',
    '`code` @ann `code`',
    '```\r\ncode\r\n```\r\n@ann',
  ])('%j names somebody: it is no code', (text) => {
    expect(mentionsIn(text)).toEqual(['ann']);
  });

  it('takes 100 names of a text', () => {
    const text = Array.from({ length: 200 }, (_, number) => `@user${number}`).join(' ');
    expect(mentionsIn(text)).toHaveLength(100);
  });

  it.each([
    ['@', ''],
    ['`', '@ann'],
    ['` `` ', '@ann'],
    ['](', '@ann'],
    ['[a](', '@ann'],
    ['@a.', ''],
    ['@a/', ''],
    ['http://', '@ann'],
    ['- ', '@ann'],
    ['\n', '@ann'],
    ['```\n', '@ann'],
    ['a', '@ann'],
    ['    @a\n', ''],
    [' ', '@ann'],
  ])('stays fast for a megabyte of %j', (part, end) => {
    const text = part.repeat(1_000_000 / part.length) + end;
    expect(effortOf(() => mentionsIn(text))).toBeLessThan(15);
  });
});
