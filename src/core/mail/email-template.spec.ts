import { describe, expect, it } from '@jest/globals';
import { renderEmail } from './email-template.js';

describe('an email', () => {
  it('has no line injected by a name', () => {
    const { text, html } = renderEmail({
      subject: 'Confirm your e-mail address',
      name: 'Sam,\r\n\r\nhttps://evil.example/\u2028Yours',
      paragraphs: ['Confirm it.'],
      baseUrl: 'https://guildhall.example',
    });
    expect(text.split('\n')[0]).toBe('Hello Sam, https://evil.example/ Yours,');
    expect(html).toContain('Hello Sam, https://evil.example/ Yours,');
  });
});
