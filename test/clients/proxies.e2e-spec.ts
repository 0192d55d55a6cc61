import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCommand } from '../support/command.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeCertificates } from '../support/certificates.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../../deploy/local/ports.js';
import { installProgram } from '../support/system-package.js';

const LARGE_HEADER = 'x'.repeat(12_000);

let app: TestApp;
let folder: string;
beforeAll(async () => {
  app = await sharedTestApp();
  folder = await mkdtemp(join(tmpdir(), 'guildhall-proxy-'));
  makeCertificates(folder);
  const [certificate, key] = await Promise.all(
    ['own.crt', 'own.key'].map((name) => readFile(join(folder, name), 'utf8')),
  );
  await writeFile(join(folder, 'proxy.pem'), certificate ?? '');
  await writeFile(join(folder, 'proxy.key'), key ?? '');
  await writeFile(join(folder, 'both.pem'), `${certificate}${key}`);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Proxy {
  program: string;
  checkArguments: string[];
  file: string;
  /** Returns the example with ports, certificate and web process of the test. */
  adapt(text: string, ports: { https: number; http: number; web: string }): string;
  args(path: string): string[];
}

const PROXIES: Proxy[] = [
  {
    program: 'nginx',
    checkArguments: ['-v'],
    file: 'nginx.conf',
    adapt: (text, { https, http, web }) =>
      `pid ${folder}/nginx.pid; daemon off; error_log ${folder}/error.log; events {}
       http { access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
       fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
       ${text
         .replace('listen 443', `listen 127.0.0.1:${https}`)
         .replace('listen 80', `listen 127.0.0.1:${http}`)
         .replaceAll('/etc/ssl/code.example.com', `${folder}/proxy`)
         .replace('http://127.0.0.1:3000', web)} }`,
    args: (path) => ['-c', path, '-e', join(folder, 'start.log')],
  },
  {
    program: 'caddy',
    checkArguments: ['version'],
    file: 'Caddyfile',
    adapt: (text, { https, http, web }) =>
      text
        .replace('email admin@example.com', `admin off\nhttp_port ${http}\nhttps_port ${https}`)
        .replace(
          'code.example.com {',
          `code.example.com {\ntls ${folder}/proxy.pem ${folder}/proxy.key`,
        )
        .replace('127.0.0.1:3000', web.replace('http://', '')),
    args: (path) => ['run', '--adapter', 'caddyfile', '--config', path],
  },
  {
    program: 'haproxy',
    checkArguments: ['-v'],
    file: 'haproxy.cfg',
    adapt: (text, { https, http, web }) =>
      text
        .replace('bind :443', `bind 127.0.0.1:${https}`)
        .replace('bind :80', `bind 127.0.0.1:${http}`)
        .replace('/etc/ssl/code.example.com.pem', `${folder}/both.pem`)
        .replace('127.0.0.1:3000', web.replace('http://', '')),
    args: (path) => ['-f', path, '-db'],
  },
];

const CHECKS: Record<string, (path: string) => string[]> = {
  nginx: (path) => ['-t', '-c', path, '-e', join(folder, 'start.log')],
  caddy: (path) => ['validate', '--adapter', 'caddyfile', '--config', path],
  haproxy: (path) => ['-c', '-f', path],
};

/** Returns what the proxy answers; the web process is in this one, so nothing may block it. */
async function curl(port: number, path: string, ...args: string[]): Promise<string> {
  const target = ['--resolve', `code.example.com:${port}:127.0.0.1`];
  const url = `https://code.example.com:${port}${path}`;
  const { stdout } = await runCommand('curl', ['-sk', '-m', '20', ...target, ...args, url]);
  return stdout;
}

describe('the examples for proxies', () => {
  it.each(PROXIES.map((proxy) => [proxy.program, proxy] as const))(
    '%s loads its example and passes requests on unchanged',
    async (program, proxy) => {
      const { file, adapt, args } = proxy;
      installProgram(proxy);
      const [https, http] = [await freePort(), await freePort()];
      const text = await readFile(join('deploy/proxy', file), 'utf8');
      const path = join(folder, file);
      await writeFile(path, adapt(text, { https, http, web: app.url }));
      const check = spawnSync(program, CHECKS[program]?.(path) ?? []);
      expect([check.status, check.status === 0 ? '' : check.stderr.toString()]).toEqual([0, '']);
      const child: ChildProcess = spawn(program, args(path), {
        stdio: 'ignore',
        env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
      });
      try {
        await eventually(async () => (await curl(https, '/-/health')) === 'Guildhall OK', {
          seconds: 30,
        });
        const slash = await curl(https, '/api/v4/projects/none%2Fhere');
        const long = await curl(https, '/-/health', '-H', `X-Long: ${LARGE_HEADER}`);
        const upload = ['-X', 'POST', '--data-binary', '@dist/main.js'];
        const status = ['-o', '/dev/null', '-w', '%{http_code}'];
        const large = await curl(https, '/api/v4/projects', ...upload, ...status);
        const own = ['-s', ...upload, ...status, `${app.url}/api/v4/projects`];
        expect([slash, long]).toEqual([expect.stringContaining('404'), 'Guildhall OK']);
        expect(large).toBe((await runCommand('curl', own)).stdout);
      } finally {
        child.kill();
        await once(child, 'exit');
      }
    },
    120_000,
  );
});
