import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeCertificates } from '../support/certificates.js';
import { type CommandResult, runCommand } from '../support/command.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../../deploy/local/ports.js';
import { installProgram } from '../support/system-package.js';

/** Texts of the example that this test replaces. */
const EMAIL = '\temail ';
const UPSTREAM = '127.0.0.1:3000';

const PATIENCE = { seconds: 60, everyMs: 200 };

let app: TestApp;
let folder: string;
const children: ChildProcess[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guildhall-acme-'));
  installProgram({ program: 'caddy', checkArguments: ['version'] });
  installProgram({ program: 'pebble', checkArguments: ['-h'] });
  app = await sharedTestApp();
  makeCertificates(folder);
}, 300_000);
afterAll(async () => {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill();
    await once(child, 'exit');
  }
  await rm(folder, { recursive: true, force: true });
});

function start(program: string, args: readonly string[], env: NodeJS.ProcessEnv): void {
  children.push(spawn(program, args, { stdio: 'ignore', env: { ...process.env, ...env } }));
}

interface Authority {
  directory: string;
  /** Address of the certificate that signs those of clients. */
  root: string;
}

/** Starts the test server of Let's Encrypt, which takes every name for proved. */
async function startAuthority(): Promise<Authority> {
  const [port, management] = [await freePort(), await freePort()];
  const pebble = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${management}`,
    certificate: join(folder, 'own.crt'),
    privateKey: join(folder, 'own.key'),
  };
  const path = join(folder, 'pebble.json');
  await writeFile(path, JSON.stringify({ pebble }));
  start('pebble', ['-config', path], { PEBBLE_VA_ALWAYS_VALID: '1', PEBBLE_WFE_NONCEREJECT: '0' });
  return {
    directory: `https://127.0.0.1:${port}/dir`,
    root: `https://127.0.0.1:${management}/roots/0`,
  };
}

/** Starts Caddy with the example; returns its port. */
async function startProxy({ directory }: Authority): Promise<number> {
  const [https, http] = [await freePort(), await freePort()];
  const example = await readFile('deploy/proxy/Caddyfile', 'utf8');
  // Without the options Caddy would ask the real Let's Encrypt.
  for (const replaced of [EMAIL, UPSTREAM]) expect(example).toContain(replaced);
  const options = [
    'admin off',
    `http_port ${http}`,
    `https_port ${https}`,
    `acme_ca ${directory}`,
    `acme_ca_root ${join(folder, 'ca.crt')}`,
  ];
  const path = join(folder, 'Caddyfile');
  const adapted = example
    .replace(EMAIL, `\t${options.join('\n\t')}\n${EMAIL}`)
    .replace(UPSTREAM, app.url.replace('http://', ''));
  await writeFile(path, adapted);
  const env = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  start('caddy', ['run', '--adapter', 'caddyfile', '--config', path], env);
  return https;
}

const curl = (...args: string[]): Promise<CommandResult> =>
  runCommand('curl', ['-sS', '-m', '20', '--noproxy', '*', ...args]);

describe('Caddy with its example', () => {
  it('gets a certificate by ACME and passes requests on', async () => {
    const authority = await startAuthority();
    const root = join(folder, 'root.pem');
    await eventually(async () => {
      const { code } = await curl('--cacert', join(folder, 'ca.crt'), '-o', root, authority.root);
      expect(code).toBe(0);
    }, PATIENCE);
    const port = await startProxy(authority);
    await eventually(async () => {
      const name = `code.example.com:${port}`;
      const target = ['--resolve', `${name}:127.0.0.1`, `https://${name}/-/health`];
      const { stdout, stderr } = await curl('--cacert', root, ...target);
      expect([stdout, stderr]).toEqual(['Guildhall OK', '']);
    }, PATIENCE);
  }, 150_000);
});
