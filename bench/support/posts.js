import { connect } from 'node:net';
import { once } from 'node:events';

/**
 * Posts JSON over persistent connections, each the next body as soon as the previous response is
 * complete, with as little work in this process as possible: it shares the machine with the server
 * under test.
 * @param {{ url: string, token: string, connections: number }} target
 * @param {() => string | null} next the next body; null at the end
 * @returns {Promise<number>} how many were answered; throws unless each was with 200
 */
export async function postAll({ url, token, connections }, next) {
  const { hostname, port, pathname } = new URL(url);
  const head =
    `POST ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${token}\r\n` +
    'Content-Type: application/json\r\nContent-Length: ';
  const made = () => {
    const body = next();
    return body === null ? null : `${head}${Buffer.byteLength(body)}\r\n\r\n${body}`;
  };
  const counts = await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      await once(socket, 'connect');
      return postOn(socket, made);
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/**
 * @param {import('node:net').Socket} socket
 * @param {() => string | null} next
 * @returns {Promise<number>}
 */
function postOn(socket, next) {
  return new Promise((resolve, reject) => {
    let answered = 0;
    let received = '';
    const send = () => {
      const request = next();
      if (request !== null) socket.write(request);
      else socket.end(() => resolve(answered));
    };
    socket.setEncoding('latin1');
    socket.on('error', reject);
    socket.on('data', (text) => {
      received += text;
      if (!isComplete(received)) return;
      if (!received.startsWith('HTTP/1.1 200')) reject(new Error(received));
      received = '';
      answered += 1;
      send();
    });
    send();
  });
}

/** @param {string} answer */
function isComplete(answer) {
  const end = answer.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(answer.slice(0, end))?.[1] ?? '0';
  return answer.length >= end + 4 + Number(length);
}
