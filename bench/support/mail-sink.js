import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/**
 * An SMTP server in a process of its own that takes everything. Asked for a number of emails it
 * answers how many came per second from the first one to the last, and what the first one was.
 */

/** @type {{ wanted: number, count: number, startedAt: bigint, sample: string } | null} */
let run = null;

const server = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  disableReverseLookup: true,
  onData: (stream, _, callback) => {
    void buffer(stream).then((content) => {
      callback();
      count(content);
    });
  },
});

/** @param {Buffer} content */
function count(content) {
  if (run === null) return;
  if (run.count === 0) {
    run.startedAt = process.hrtime.bigint();
    run.sample = content.toString('utf8');
  }
  run.count += 1;
  if (run.count < run.wanted) return;
  const seconds = Number(process.hrtime.bigint() - run.startedAt) / 1e9;
  process.send?.({ perSecond: (run.count - 1) / seconds, sample: run.sample });
  run = null;
}

process.on('message', (/** @type {{ wanted: number }} */ { wanted }) => {
  run = { wanted, count: 0, startedAt: 0n, sample: '' };
  process.send?.({ isReady: true });
});
server.listen(0, '127.0.0.1');
await once(server.server, 'listening');
const address = server.server.address();
process.send?.({ port: typeof address === 'object' ? address?.port : 0 });
