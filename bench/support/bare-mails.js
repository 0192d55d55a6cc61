import { simpleParser } from 'mailparser';
import { createTransport } from 'nodemailer';

/**
 * Cost of sending emails without a framework: nodemailer's pool, and the next email as soon as one
 * is accepted. `SAMPLE` is one of our emails; copies of it go to as many addresses as requested.
 */
const { SAMPLE = '', SMTP_URL = '', CONNECTIONS = '1' } = process.env;
const connections = Number(CONNECTIONS);
const pool = createTransport({
  url: SMTP_URL,
  pool: true,
  maxConnections: connections,
  maxMessages: Number.POSITIVE_INFINITY,
});
const parsed = await simpleParser(SAMPLE);
const NAMED =
  'from to subject message-id date in-reply-to references mime-version content-type'.split(' ');
const headers = parsed.headerLines
  .filter(({ key }) => !NAMED.includes(key))
  .map(({ key, line }) => ({ key, value: line.slice(line.indexOf(':') + 1).trim() }));

/** @param {number} number */
function send(number) {
  return pool.sendMail({
    from: parsed.from?.value[0],
    to: { name: '', address: `watcher${number}@example.com` },
    subject: parsed.subject,
    text: parsed.text,
    html: parsed.html === false ? undefined : parsed.html,
    messageId: parsed.messageId,
    date: parsed.date,
    headers,
  });
}

process.on('message', async (/** @type {{ wanted: number }} */ { wanted }) => {
  let started = 0;
  const loop = async () => {
    while (started < wanted) {
      started += 1;
      await send(started);
    }
  };
  await Promise.all(Array.from({ length: connections }, loop));
});
process.send?.({ isReady: true });
