import { describe, expect, it } from '@jest/globals';
import { effortOf } from '../../../test/support/effort.js';
import { nameOf, namesIn, parseQuickActions, type QuickActionName } from './quick-actions.js';

const KNOWN = new Set<QuickActionName>(['close', 'label', 'title', 'due']);
const CLOSE = { name: 'close', argument: '' };

describe('parseQuickActions', () => {
  it('takes commands out and leaves the rest of the comment', () => {
    expect(parseQuickActions('Done.\n\n/close\n/label ~a  ~"b c" \n\nThanks\n', KNOWN)).toEqual({
      text: 'Done.\n\n\nThanks',
      actions: [CLOSE, { name: 'label', argument: '~a  ~"b c"' }],
    });
  });

  it('leaves nothing of a comment that has only commands', () => {
    expect(parseQuickActions('\r\n/Close\r\n \n', KNOWN)).toEqual({ text: '', actions: [CLOSE] });
  });

  it('keeps a comment without commands to the letter', () => {
    const body = '\n  a\r\n\n/tmp/close\n/merge\n /close\n/closed\n/close now\n/\n//close\n';
    expect(parseQuickActions(body, KNOWN)).toEqual({ text: body, actions: [] });
  });

  it.each([
    '```\n/close\n```',
    '~~~ sh\n/close\n```\n/close\n~~~~',
    '````\n/close\n```\n/close\n````',
    '```\n/close',
    '   ```\n/close\n  ```',
    '> /close',
    '>>>\n/close\n>>>',
    '    /close',
    '`/close`',
  ])('leaves code and quotes alone: %j', (body) => {
    expect(parseQuickActions(body, KNOWN)).toEqual({ text: body, actions: [] });
  });

  it.each([
    ['```\nx\n```\n/close', '```\nx\n```'],
    ['>>>\nx\n>>>\n/close', '>>>\nx\n>>>'],
    ['``` a`b\n/close', '``` a`b'],
    ['> x\n/close', '> x'],
  ])('understands commands behind code and quotes: %j', (body, text) => {
    expect(parseQuickActions(body, KNOWN)).toEqual({ text, actions: [CLOSE] });
  });

  it('does not take property names of objects for commands', () => {
    const body = '/constructor\n/__proto__\n/toString';
    expect(parseQuickActions(body, KNOWN)).toEqual({ text: body, actions: [] });
  });

  it('takes a hundred commands and leaves further ones as text', () => {
    const { text, actions } = parseQuickActions('/close\n'.repeat(102), KNOWN);
    expect(actions).toHaveLength(100);
    expect(text).toBe('/close\n/close');
  });

  it.each([
    ['/', 1_000_000],
    ['/close ', 140_000],
    ['/title \u2028 \t', 100_000],
    ['`', 1_000_000],
    ['```\n', 250_000],
    ['/close\n', 140_000],
    ['\n ', 500_000],
    ['~"', 500_000],
  ])('stays fast for %j again and again', (part, times) => {
    const text = part.repeat(times);
    expect(effortOf(() => parseQuickActions(text, KNOWN))).toBeLessThan(15);
    expect(effortOf(() => namesIn(text, '~'))).toBeLessThan(15);
  });
});

describe('names of an argument', () => {
  it('may stand in quotes, with their mark or without, each counting once', () => {
    expect(namesIn('~a ~"b c" "d e" f ~a ~', '~')).toEqual(['a', 'b c', 'd e', 'f']);
    expect(namesIn('@ann  me', '@')).toEqual(['ann', 'me']);
  });

  it('are at most a hundred', () => {
    const names = Array.from({ length: 101 }, (_, at) => `~l${at}`);
    expect(namesIn(names.join(' '), '~')).toBeNull();
    expect(namesIn(names.slice(1).join(' '), '~')).toHaveLength(100);
  });

  it('is one with blanks where only one is wanted', () => {
    expect(nameOf('%"Version 1"', '%')).toBe('Version 1');
    expect(nameOf('Version 1', '%')).toBe('Version 1');
    expect(nameOf('%v1', '%')).toBe('v1');
  });
});
