import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { api } from '../support/api-client.js';
import type { OwnTestApp } from '../support/app.js';
import { startLimitedApp } from './limited-app.js';

const LIMIT = { throttle_unauthenticated_api_requests_per_period: 3 };

const HEADERS = ['X-Forwarded-For', 'X-Real-IP', 'Forwarded', 'X-Client-IP', 'True-Client-IP'];

async function statuses(app: OwnTestApp, forwardedFor: readonly string[]): Promise<number[]> {
  const found: number[] = [];
  for (const address of forwardedFor) {
    const test = api(app.url).get('/projects');
    for (const name of HEADERS) void test.set(name, address);
    found.push((await test).status);
  }
  return found;
}

describe('addresses that a client claims', () => {
  let app: OwnTestApp;
  beforeAll(async () => {
    app = await startLimitedApp(LIMIT);
  });
  afterAll(() => app.close());

  it('do not count without a trusted proxy', async () => {
    const claimed = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'];
    expect(await statuses(app, claimed)).toEqual([200, 200, 200, 429]);
  });
});

describe('the log', () => {
  const warnings = async (env: Record<string, string>): Promise<unknown[]> => {
    const lines: string[] = [];
    const logDestination = { write: (line: string) => void lines.push(line) };
    const app = await startLimitedApp({}, { env: { LOG_LEVEL: 'warn', ...env }, logDestination });
    await statuses(app, ['192.0.2.1', '192.0.2.2']);
    await app.close();
    return lines.filter((line) => line.includes('TRUST_PROXY'));
  };

  it('warns once of an untrusted proxy', async () => {
    expect(await warnings({})).toHaveLength(1);
    expect(await warnings({ TRUST_PROXY: '1' })).toEqual([]);
  });
});

describe('behind one trusted proxy', () => {
  let app: OwnTestApp;
  beforeAll(async () => {
    app = await startLimitedApp(LIMIT, { env: { TRUST_PROXY: '1' } });
  });
  afterAll(() => app.close());

  it('only the address that the proxy added counts', async () => {
    const real = '198.51.100.7';
    const claimed = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'];
    const lists = claimed.map((address) => `${address}, ${real}`);
    expect(await statuses(app, lists)).toEqual([200, 200, 200, 429]);
    expect(await statuses(app, ['192.0.2.1, 198.51.100.8'])).toEqual([200]);
  });
});
