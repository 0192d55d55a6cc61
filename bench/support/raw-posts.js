import { connect } from 'node:net';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';

/**
 * Sends whole requests over persistent connections, each the next one as soon as the previous
 * response is complete, with as little work in this process as possible: it shares the machine with
 * the server under test.
 * @param {{ url: string, connections: number }} target
 * @param {() => Buffer | null} next the next request; null at the end
 * @returns {Promise<number[]>} milliseconds until each answer; throws unless each was 200
 */
export async function postRaw({ url, connections }, next) {
  const { hostname, port } = new URL(url);
  const all = await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      await once(socket, 'connect');
      return postOn(socket, next);
    }),
  );
  return all.flat();
}

/**
 * The bytes of a POST.
 * @param {string} url
 * @param {Buffer} body
 * @param {Record<string, string>} headers
 */
export function rawRequest(url, body, headers = {}) {
  const { host, pathname, search } = new URL(url);
  const all = { Host: host, 'Content-Length': String(body.length), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `POST ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), body]);
}

/**
 * @param {import('node:net').Socket} socket
 * @param {() => Buffer | null} next
 * @returns {Promise<number[]>}
 */
function postOn(socket, next) {
  return new Promise((resolve, reject) => {
    /** @type {number[]} */
    const times = [];
    let received = '';
    let sentAt = 0;
    const send = () => {
      const request = next();
      sentAt = performance.now();
      if (request !== null) socket.write(request);
      else socket.end(() => resolve(times));
    };
    socket.setEncoding('latin1');
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the connection was closed')));
    socket.on('data', (text) => {
      received += text;
      if (!isComplete(received)) return;
      if (!received.startsWith('HTTP/1.1 200')) reject(new Error(received));
      received = '';
      times.push(performance.now() - sentAt);
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
