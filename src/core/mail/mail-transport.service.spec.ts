import { describe, expect, it } from '@jest/globals';
import { MailDeliveryError } from './mail-transport.service.js';

const smtpError = (fields: object): Error => Object.assign(new Error('said no'), fields);

describe('a mail that was not taken', () => {
  it.each([
    [{ code: 'ESOCKET', command: 'CONN' }],
    [{ code: 'ETIMEDOUT', command: 'CONN' }],
    [{ code: 'ECONNECTION' }],
    [{ code: 'EDNS' }],
    [{ code: 'EAUTH', responseCode: 535 }],
    [{ code: 'EENVELOPE', responseCode: 421, command: 'RCPT TO' }],
    [{ code: 'EENVELOPE', responseCode: 530, command: 'MAIL FROM' }],
  ])('is not to blame for %j', (fields) => {
    const error = new MailDeliveryError(smtpError(fields), false);
    expect(error).toMatchObject({ disposition: 'server away', isAboutAddress: false });
    expect(error.message).toBe('said no');
  });

  it.each([
    [{ code: 'ECONNECTION', command: 'CONN' }, 'later', false],
    [{ code: 'ETIMEDOUT', command: 'CONN' }, 'later', false],
    [{ code: 'EENVELOPE', responseCode: 451, command: 'RCPT TO' }, 'later', true],
    [{ code: 'EENVELOPE', responseCode: 550, command: 'RCPT TO' }, 'never', true],
    [{ code: 'EMESSAGE', responseCode: 554, command: 'DATA' }, 'never', false],
    [{ name: 'AbortError' }, 'later', false],
  ])(
    'with which the server was connected, is to blame for %j',
    (fields, disposition, isAboutAddress) => {
      const error = new MailDeliveryError(smtpError(fields), true);
      expect(error).toMatchObject({ disposition, isAboutAddress });
    },
  );
});
