import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Document, follows } from '../docs/document.js';
import { runCommand } from '../support/command.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeCertificates } from '../support/certificates.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../../deploy/local/ports.js';
import { installProgram } from '../support/system-package.js';
import { whileRunning } from './programs/server-runner.js';

follows('docs/how-to/proxy.md', 'check');
follows('docs/how-to/scaling.md', 'nginx');

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

/** Replaces texts that have to be there, each once or more, in this order. */
function adapted(text: string, ...replacements: [found: string, other: string][]): string {
  return replacements.reduce((result, [found, other]) => {
    expect(result).toContain(found);
    return result.replaceAll(found, other);
  }, text);
}

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
       ${adapted(
         text,
         ['listen 443', `listen 127.0.0.1:${https}`],
         ['listen 80', `listen 127.0.0.1:${http}`],
         ['/etc/ssl/code.example.com', `${folder}/proxy`],
         ['http://127.0.0.1:3000', web],
       )} }`,
    args: (path) => ['-c', path, '-e', join(folder, 'start.log')],
  },
  {
    program: 'caddy',
    checkArguments: ['version'],
    file: 'Caddyfile',
    adapt: (text, { https, http, web }) =>
      adapted(
        text,
        ['email admin@example.com', `admin off\nhttp_port ${http}\nhttps_port ${https}`],
        ['code.example.com {', `code.example.com {\ntls ${folder}/proxy.pem ${folder}/proxy.key`],
        ['127.0.0.1:3000', web.replace('http://', '')],
      ),
    args: (path) => ['run', '--adapter', 'caddyfile', '--config', path],
  },
  {
    program: 'haproxy',
    checkArguments: ['-v'],
    file: 'haproxy.cfg',
    adapt: (text, { https, http, web }) =>
      adapted(
        text,
        ['bind :443', `bind 127.0.0.1:${https}`],
        ['bind :80', `bind 127.0.0.1:${http}`],
        ['/etc/ssl/code.example.com.pem', `${folder}/both.pem`],
        ['127.0.0.1:3000', web.replace('http://', '')],
      ),
    args: (path) => ['-f', path, '-db'],
  },
];

/** The command that checks the example, with the file of the test. */
function checkOf({ program, file }: Proxy, path: string): string {
  const commands = new Document('docs/how-to/proxy.md').named('check').split('\n');
  const command = commands.find((line) => line.startsWith(`${program} `)) ?? '';
  // Without a path, nginx reads the file of its package.
  if (program === 'nginx') return `${command} -c ${path} -e ${join(folder, 'start.log')}`;
  return adapted(command, [`deploy/proxy/${file}`, path]);
}

/** Runs a proxy until `use` has ended. */
function running({ program, args }: Proxy, path: string, use: () => Promise<void>): Promise<void> {
  const places = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  return whileRunning([program, ...args(path)], { env: { ...process.env, ...places } }, use);
}

/** Returns what the proxy answers; the web process is in this one, so nothing may block it. */
async function curl(port: number, path: string, ...args: string[]): Promise<string> {
  const target = ['--resolve', `code.example.com:${port}:127.0.0.1`];
  const url = `https://code.example.com:${port}${path}`;
  const { stdout } = await runCommand('curl', ['-sk', '-m', '20', ...target, ...args, url]);
  return stdout;
}

const healthy = (port: number): Promise<boolean> =>
  eventually(async () => (await curl(port, '/-/health')) === 'Guildhall OK', { seconds: 30 });

describe('the examples for proxies', () => {
  it.each(PROXIES.map((proxy) => [proxy.program, proxy] as const))(
    '%s loads its example and passes requests on unchanged',
    async (_, proxy) => {
      const { file, adapt } = proxy;
      installProgram(proxy);
      const [https, http] = [await freePort(), await freePort()];
      const text = await readFile(join('deploy/proxy', file), 'utf8');
      const path = join(folder, file);
      await writeFile(path, adapt(text, { https, http, web: app.url }));
      const { code, stderr } = await runCommand('sh', ['-ec', checkOf(proxy, path)]);
      expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
      await running(proxy, path, async () => {
        await healthy(https);
        const slash = await curl(https, '/api/v4/projects/none%2Fhere');
        const long = await curl(https, '/-/health', '-H', `X-Long: ${LARGE_HEADER}`);
        const upload = ['-X', 'POST', '--data-binary', '@dist/main.js'];
        const status = ['-o', '/dev/null', '-w', '%{http_code}'];
        const large = await curl(https, '/api/v4/projects', ...upload, ...status);
        const own = ['-s', ...upload, ...status, `${app.url}/api/v4/projects`];
        expect([slash, long]).toEqual([expect.stringContaining('404'), 'Guildhall OK']);
        expect(large).toBe((await runCommand('curl', own)).stdout);
      });
    },
    120_000,
  );

  it('have all their checks in the guide', () => {
    const commands = new Document('docs/how-to/proxy.md').named('check').trim().split('\n');
    const programs = commands.map((command) => command.split(' ')[0]);
    expect(programs).toEqual(PROXIES.map(({ program }) => program));
  });
});

describe('nginx in front of several web nodes', () => {
  it('passes requests to the node that answers, as the guide configures it', async () => {
    const [nginx] = PROXIES as [Proxy];
    installProgram(nginx);
    const blocks = new Document('docs/how-to/scaling.md').all('nginx');
    expect(blocks).toHaveLength(2);
    const [upstream = '', timeout = ''] = blocks;
    const [https, http] = [await freePort(), await freePort()];
    const example = await readFile('deploy/proxy/nginx.conf', 'utf8');
    const nodes = adapted(
      upstream,
      ['10.0.0.11:3000', `127.0.0.1:${await freePort()}`],
      ['10.0.0.12:3000', app.url.replace('http://', '')],
      ['10.0.0.13:3000', `127.0.0.1:${await freePort()}`],
    );
    const path = join(folder, 'nodes.conf');
    const text = adapted(
      nginx.adapt(`${nodes}\n${example}`, { https, http, web: 'http://guildhall' }),
      ['proxy_pass http://guildhall;', `proxy_pass http://guildhall;\n${timeout}`],
    );
    await writeFile(path, text);
    await running(nginx, path, async () => {
      await healthy(https);
      const answers = await Promise.all(Array.from({ length: 9 }, () => curl(https, '/-/health')));
      expect(new Set(answers)).toEqual(new Set(['Guildhall OK']));
    });
  }, 120_000);
});
