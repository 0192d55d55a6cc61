import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { BuiltProcesses, portOf } from '../support/built-process.js';

const processes = new BuiltProcesses();
afterEach(() => processes.remove());

describe('the web process', () => {
  it('stops in time with a collector of traces that does not respond', async () => {
    const requests: string[] = [];
    const collector = createServer(({ url = '' }) => void requests.push(url));
    collector.listen(0, '127.0.0.1');
    await once(collector, 'listening');
    try {
      const { port: collectorPort } = collector.address() as AddressInfo;
      // As compose.yaml passes variables that the operator has not set.
      const unset = { OTEL_SERVICE_NAME: '', OTEL_TRACES_SAMPLER: '', OTEL_TRACES_SAMPLER_ARG: '' };
      const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collectorPort}`, ...unset };
      const web = await processes.start('main.js', { env });
      const port = await portOf(web);
      expect((await fetch(`http://127.0.0.1:${port}/api/v4/projects`)).status).toBe(200);
      const startedAt = performance.now();
      web.child.kill('SIGTERM');
      expect(await web.exited).toEqual([0, null]);
      expect(performance.now() - startedAt).toBeLessThan(15_000);
      expect(requests).toContain('/v1/traces');
      expect(await web.output).toMatch(/"msg":"the last spans were not sent"/);
    } finally {
      collector.closeAllConnections();
      collector.close();
    }
  }, 60_000);
});
