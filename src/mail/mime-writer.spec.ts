import { describe, expect, it } from '@jest/globals';
import { simpleParser } from 'mailparser';
import { mailMessage } from './mail-message.js';
import { writeMime } from './mime-writer.js';

const LETTER = {
  to: 'sam@example.com',
  subject:
    'Grüße an "alle", \u2028 — ein langer Betreff, der ganz gewiss auf mehrere Zeilen kommt ✓✓',
  text: `${'ä'.repeat(200)}\n.\n..dots\nFrom here\ntrailing  \n=_=3D\r\nend`,
  html: `<p>${'x'.repeat(1_200)}</p>\n<p>ö</p>`,
  messageId: '<note_1@guildhall.example>',
  date: new Date('2026-03-01T10:00:00Z'),
  fromName: 'Jörg "J" Müller, (@joerg)',
  inReplyTo: '<issue_1@guildhall.example>',
  references: ['<reply-0@guildhall.example>', '<issue_1@guildhall.example>'],
  headers: { 'X-Svc-Project': 'Ä', 'List-Unsubscribe': `<https://x.example/${'0'.repeat(200)}>` },
};
const written = writeMime(mailMessage(LETTER, 'Guildhall <noreply@guildhall.example>'));

describe('a written message', () => {
  it('says what was to be said', async () => {
    const parsed = await simpleParser(written);
    expect(parsed).toMatchObject({
      subject: LETTER.subject.replace('\u2028', ' '),
      text: LETTER.text.replace('\r\n', '\n'),
      html: LETTER.html,
      messageId: LETTER.messageId,
      inReplyTo: LETTER.inReplyTo,
      references: LETTER.references,
      date: LETTER.date,
    });
    expect(parsed.from?.value).toEqual([
      { name: LETTER.fromName, address: 'noreply@guildhall.example' },
    ]);
    expect(parsed.to).toMatchObject({ text: 'sam@example.com' });
    expect(parsed.headers.get('list')).toMatchObject({
      unsubscribe: { url: `https://x.example/${'0'.repeat(200)}` },
    });
  });

  it('is ASCII in lines that every server takes, each ended as it has to be', () => {
    expect(written).toMatch(/^[\x09\x0a\x0d\x20-\x7e]*$/);
    expect(written.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    const lines = written.split('\r\n').filter((line) => !line.includes('0'.repeat(200)));
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(78);
  });
});
