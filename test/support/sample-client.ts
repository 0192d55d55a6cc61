import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { OAuthApplication } from '../../src/oauth/oauth-applications.repository.js';
import type { TestApp } from './app.js';
import { ended } from './command.js';
import { makeApplication } from './oauth-factories.js';

/** The client of `examples/`, running as its README says. */
export interface SampleClient {
  url: string;
  close(): Promise<void>;
}

/** Starts it on a free port and registers it with its address. */
export async function startSampleClient(
  app: TestApp,
  { confidential }: { confidential: boolean },
): Promise<SampleClient> {
  const scopes = ['openid', 'email', 'read_user'];
  const name = 'Sample client';
  const { id, uid, secret } = await makeApplication(app, { name, scopes, confidential });
  const child = spawn(process.execPath, ['examples/sample-client/server.js'], {
    env: {
      PATH: process.env['PATH'],
      ISSUER: app.url,
      PORT: '0',
      CLIENT_ID: uid,
      ...(confidential && { CLIENT_SECRET: secret }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const url = await addressOf(child);
  const redirectUris = [`${url}/callback`];
  await app.dataSource.manager.update(OAuthApplication, { id }, { redirectUris });
  const close = async (): Promise<void> => {
    child.kill();
    await ended(child);
  };
  return { url, close };
}

/** Returns the address, which is the first line of output. */
async function addressOf(child: ChildProcessByStdio<null, Readable, Readable>): Promise<string> {
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  const line = once(createInterface(child.stdout), 'line').then(([text]) => String(text));
  const first = await Promise.race([line, ended(child).then(() => complaints)]);
  const [url] = /http:\S+/.exec(first) ?? [];
  if (url === undefined) throw new Error(`the sample client does not start: ${first}`);
  return url;
}
