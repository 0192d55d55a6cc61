import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A package registry that knows nothing but the given versions. */
export interface PackageRegistry {
  url: string;
  close(): Promise<void>;
}

/** Serves metadata of packages, without their archives: `{ 'left-pad': ['1.0.0', '1.1.0'] }`. */
export async function startPackageRegistry(
  packages: Readonly<Record<string, readonly string[]>>,
): Promise<PackageRegistry> {
  const server = createServer((request, response) => {
    const name = decodeURIComponent(request.url?.slice(1) ?? '');
    const versions = packages[name];
    response.writeHead(versions === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(versions === undefined ? {} : metadata(name, versions)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function metadata(name: string, versions: readonly string[]): object {
  const released = '2024-01-01T00:00:00.000Z';
  return {
    name,
    'dist-tags': { latest: versions.at(-1) },
    versions: Object.fromEntries(versions.map((version) => [version, { name, version }])),
    time: Object.fromEntries(versions.map((version) => [version, released])),
  };
}
