import { describe, expect, it } from '@jest/globals';
import { MAX_TEXT_LENGTH, writtenText } from './email-parts.js';

describe('user text in the text part of an email', () => {
  it('stands there as it was typed', () => {
    const text = 'One **two**\n\n\t- three\n-- four\n\u202eé 👩‍👧';
    expect(writtenText({ text })).toBe(text);
    expect(writtenText({ text: 'a\r\nb\rc  \r\n' })).toBe('a\nb\nc');
  });

  it('begins no signature, behind which programs would hide the end of the mail', () => {
    const text = 'Bye\n-- \nNo more mails: https://evil.example\n-- ';
    expect(writtenText({ text }).split('\n')).not.toContain('-- ');
  });

  it('controls no terminal', () => {
    expect(writtenText({ text: '\u001b]0;x\u0007a\u0008\u009b2Jb\u0085' })).toBe(']0;xa2Jb');
  });

  it('is cut where it is too long, and says so', () => {
    const text = writtenText({ text: `${'x'.repeat(MAX_TEXT_LENGTH - 1)}👩 and more` });
    expect(text).toMatch(/x\n\nTruncated\.$/);
  });
});
