import autocannon from 'autocannon';

const CONNECTIONS = 16;
const CALM_RATE = 50;

/**
 * Requests per second with 16 connections; throws unless every answer is 2xx.
 * @param {{ url: string, token?: string }} target
 * @param {number} duration in seconds
 */
export async function requestsPerSecond({ url, token }, duration) {
  const result = await autocannon({
    url,
    duration,
    connections: CONNECTIONS,
    headers: token === undefined ? {} : { 'private-token': token },
  });
  if (result.non2xx + result.errors > 0) throw new Error(`${url} did not answer every request`);
  return result.requests.average;
}

/**
 * The same with the milliseconds that one of a hundred answers takes longer than.
 * @param {{ url: string, token?: string }} target
 * @param {number} duration in seconds
 */
export async function loadOf({ url, token }, duration) {
  const headers = token === undefined ? {} : { 'private-token': token };
  const result = await autocannon({ url, duration, connections: CONNECTIONS, headers });
  if (result.non2xx + result.errors > 0) throw new Error(`${url} did not answer every request`);
  return { rate: result.requests.average, p99: Math.max(result.latency.p99, 1) };
}

/**
 * POSTs of forms per second with 16 connections; throws unless every answer is 2xx.
 * @param {{ url: string, next: () => Record<string, string>, took?: (body: string) => void }} target
 *   `next` makes the fields of a request, `took` is given each answer
 * @param {number} duration in seconds
 */
export async function formsPerSecond({ url, next, took }, duration) {
  const result = await autocannon({
    url,
    duration,
    connections: CONNECTIONS,
    requests: [
      {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        setupRequest: (request) => ({ ...request, body: new URLSearchParams(next()).toString() }),
        onResponse: (status, body) => {
          if (status === 200) took?.(body);
        },
      },
    ],
  });
  if (result.non2xx + result.errors > 0) throw new Error(`${url} did not answer every request`);
  return result.requests.average;
}

/**
 * Milliseconds that one of a hundred answers takes longer than, at 50 requests per second; throws
 * unless every answer is 2xx.
 * @param {{ url: string, token?: string }} target
 * @param {number} duration in seconds
 */
export async function slowAnswer({ url, token }, duration) {
  const result = await autocannon({
    url,
    duration,
    connections: 2,
    overallRate: CALM_RATE,
    headers: token === undefined ? {} : { 'private-token': token },
  });
  if (result.non2xx + result.errors > 0) throw new Error(`${url} did not answer every request`);
  return Math.max(result.latency.p99, 1);
}
