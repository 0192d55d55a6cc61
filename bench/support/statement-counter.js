import { connect, createServer } from 'node:net';
import { once } from 'node:events';

/** Types of the frontend messages that run a statement: Execute and Query. */
const EXECUTE = 'E'.charCodeAt(0);
const QUERY = 'Q'.charCodeAt(0);
const PARSE = 'P'.charCodeAt(0);
const BIND = 'B'.charCodeAt(0);
const HEADER = 5;

/**
 * A relay in front of PostgreSQL that counts the statements of its clients.
 * @typedef {object} StatementCounter
 * @property {string} databaseUrl for the clients to be counted
 * @property {() => string[]} take the statements since the last call, in order
 * @property {() => Promise<void>} close
 */

/**
 * Starts a relay for a database.
 * @param {string} databaseUrl
 * @returns {Promise<StatementCounter>}
 */
export async function countStatements(databaseUrl) {
  const database = new URL(databaseUrl);
  /** @type {string[]} */
  let statements = [];
  const server = createServer((client) => {
    const upstream = connect(Number(database.port), database.hostname);
    upstream.setNoDelay(true);
    client.setNoDelay(true);
    const read = messageReader((text) => statements.push(text));
    client.on('data', read);
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) {
      socket.on('error', () => {
        client.destroy();
        upstream.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  const relayed = new URL(databaseUrl);
  relayed.hostname = '127.0.0.1';
  relayed.port = String(address.port);
  return {
    databaseUrl: relayed.href,
    take: () => {
      const taken = statements;
      statements = [];
      return taken;
    },
    close: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}

/**
 * Reads the messages of one connection (PostgreSQL's frontend protocol, version 3).
 * @param {(text: string) => void} onStatement
 * @returns {(chunk: Buffer) => void}
 */
function messageReader(onStatement) {
  /** @type {Map<string, string>} */
  const prepared = new Map();
  let rest = Buffer.alloc(0);
  let bound = '';
  let isStarted = false;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    // The first message has no type.
    if (!isStarted && rest.length >= 4 && rest.length >= rest.readUInt32BE(0)) {
      rest = rest.subarray(rest.readUInt32BE(0));
      isStarted = true;
    }
    while (isStarted && rest.length >= HEADER && rest.length > rest.readUInt32BE(1)) {
      const end = 1 + rest.readUInt32BE(1);
      const [first = '', second = ''] = rest.toString('utf8', HEADER, end).split('\0', 2);
      const type = rest[0];
      if (type === PARSE) prepared.set(first, second);
      else if (type === BIND) bound = prepared.get(second) ?? second;
      else if (type === EXECUTE) onStatement(bound);
      else if (type === QUERY) onStatement(first);
      rest = rest.subarray(end);
    }
  };
}
