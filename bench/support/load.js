import autocannon from 'autocannon';

const CONNECTIONS = 16;

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
