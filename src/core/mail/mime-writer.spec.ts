import { describe, expect, it } from '@jest/globals';
import { simpleParser } from 'mailparser';
import { mailMessage, writeMime } from './mime-writer.js';

const CONTENT = {
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
const written = writeMime(mailMessage(CONTENT, 'Guildhall <noreply@guildhall.example>'));

describe('a written message', () => {
  it('keeps subject, texts and headers', async () => {
    const parsed = await simpleParser(written);
    expect(parsed).toMatchObject({
      subject: CONTENT.subject.replace('\u2028', ' '),
      text: CONTENT.text.replace('\r\n', '\n'),
      html: CONTENT.html,
      messageId: CONTENT.messageId,
      inReplyTo: CONTENT.inReplyTo,
      references: CONTENT.references,
      date: CONTENT.date,
    });
    expect(parsed.from?.value).toEqual([
      { name: CONTENT.fromName, address: 'noreply@guildhall.example' },
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

  it('keeps text that looks like an encoded word', async () => {
    const trap = '=?utf-8?Q?a=0D=0ABcc:_victim@example.com?= is =?us-ascii?B?QUFB?= here';
    const message = {
      ...CONTENT,
      subject: trap,
      fromName: trap,
      headers: { 'X-Svc-Project': trap },
    };
    const parsed = await simpleParser(writeMime(mailMessage(message, 'x@guildhall.example')));
    expect(parsed.subject).toBe(trap);
    expect(parsed.from?.value).toEqual([{ name: trap, address: 'x@guildhall.example' }]);
    expect(parsed.headers.get('x-svc-project')).toMatch(/^=\?UTF-8\?Q\?=3D=3Futf-8/);
    expect(parsed.bcc).toBeUndefined();
  });

  it('has no line that a server refuses, however long a path or a name is', async () => {
    const path = Array.from({ length: 20 }, () => 'g'.repeat(255)).join('/');
    const headers = { 'List-Id': `${path} <1.hall.guildhall.example>`, 'X-Svc-Project-Path': path };
    const message = { ...CONTENT, subject: `${path} | x`, fromName: 'n'.repeat(2_000), headers };
    const long = writeMime(mailMessage(message, 'x@guildhall.example'));
    expect(Math.max(...long.split('\r\n').map((line) => line.length))).toBeLessThan(500);
    const parsed = await simpleParser(long);
    expect(parsed).toMatchObject({ subject: `${path} | x` });
    expect(long).toContain(' <1.hall.guildhall.example>\r\n');
  });

  it('cannot have the names in it turned round', async () => {
    const fromName = 'Eve \u202e)nna@( \u2066x';
    const message = { ...CONTENT, fromName, subject: '\u202dTitle' };
    const parsed = await simpleParser(writeMime(mailMessage(message, 'x@guildhall.example')));
    expect(parsed.from?.value[0]?.name).toBe('Eve )nna@( x');
    expect(parsed.subject).toBe('Title');
  });
});
