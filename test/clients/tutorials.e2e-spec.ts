import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rolldown } from 'rolldown';
import { DSN, KEY, Tutorial, WEBHOOK } from '../docs/tutorial.js';
import { makeIntegration } from '../support/alert-factories.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { startBrowser } from '../support/browser.js';
import { runCommand } from '../support/command.js';
import { eventually } from '../support/eventually.js';
import { makeAdmin, unique } from '../support/factories.js';
import { freePort } from '../../deploy/local/ports.js';
import { makeGroup, makeMemberOf, makeProject } from '../support/project-factories.js';
import { installProgram } from '../support/system-package.js';
import { startTestWorker } from '../support/worker.js';
import { makeErrorProject } from './programs/error-project.js';

let app: OwnTestApp;
let worker: INestApplicationContext;
let folder: string;
beforeAll(async () => {
  app = await startTestApp();
  worker = await startTestWorker(app);
  folder = await mkdtemp(join(tmpdir(), 'guildhall-tutorials-'));
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
});
afterAll(async () => {
  await worker.close();
  await Promise.all([app.close(), rm(folder, { recursive: true })]);
});

/** A project with an integration, and a tutorial that has its address and key. */
async function receiving(page: string) {
  const group = await makeGroup(app);
  const project = await makeProject(app, { namespaceId: group.id });
  const { api } = await makeMemberOf(app, project, 'maintainer');
  const { url, token } = await makeIntegration(app, project);
  const tutorial = new Tutorial(page, [
    [WEBHOOK, url],
    [KEY, token],
  ]);
  const alerts = async (): Promise<unknown> =>
    (await api.get(`/projects/${project.id}/alert_management_alerts`).expect(200)).body;
  return { tutorial, alerts };
}

/** Runs a command and fails with what it complained about. */
async function run(command: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const { code, stdout, stderr } = await runCommand('sh', ['-ec', command], {
    cwd: folder,
    env: { ...process.env, ...env },
  });
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${stdout}${stderr}`);
  return stdout;
}

describe('the tutorial alerts-alertmanager', () => {
  it('makes Alertmanager send what it is told', async () => {
    installProgram({ program: 'prometheus-alertmanager' });
    const { tutorial, alerts } = await receiving('alerts-alertmanager');
    const configuration = tutorial.named('alertmanager.yml');
    // It would wait half a minute for further alerts of the group.
    const impatient = configuration.replace('  group_by:', '  group_wait: 0s\n  group_by:');
    await writeFile(join(folder, 'alertmanager.yml'), impatient);
    expect(await run('amtool check-config alertmanager.yml')).toContain('SUCCESS');
    const port = await freePort();
    const server: ChildProcess = spawn(
      'prometheus-alertmanager',
      [
        '--config.file=alertmanager.yml',
        `--storage.path=${folder}/alertmanager`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--cluster.listen-address=',
      ],
      { cwd: folder, stdio: 'ignore' },
    );
    try {
      const at = `127.0.0.1:${port}`;
      await eventually(async () => (await fetch(`http://${at}/-/ready`)).ok, { seconds: 30 });
      await run(tutorial.named('try').replace('localhost:9093', at));
      await eventually(
        async () =>
          expect(await alerts()).toEqual([
            expect.objectContaining({ title: 'Disk is nearly full', severity: 'low' }),
          ]),
        { seconds: 30 },
      );
    } finally {
      server.kill();
      await once(server, 'exit');
    }
  });
});

describe('the tutorial alerts-zabbix', () => {
  it('has a script that the JavaScript of Zabbix runs', async () => {
    // The smallest of the packages that have it; the recommended ones are whole databases.
    const packageName = 'zabbix-proxy-sqlite3 --no-install-recommends';
    installProgram({ program: 'zabbix_js', packageName, checkArguments: ['-V'] });
    const { tutorial, alerts } = await receiving('alerts-zabbix');
    const macros: Record<string, string> = {
      '{EVENT.ID}': '7',
      '{EVENT.NAME}': 'High CPU load',
      '{EVENT.NSEVERITY}': '3',
      '{HOST.NAME}': 'web-1',
    };
    await writeFile(join(folder, 'script.js'), tutorial.named('script'));
    for (const [value, status] of [
      ['1', 'triggered'],
      ['0', 'resolved'],
    ] as const) {
      const parameters = tutorial
        .named('parameters')
        .replaceAll(
          /\{[A-Z.]+\}/g,
          (macro) => macros[macro] ?? (macro.endsWith('VALUE}') ? value : ''),
        );
      const output = await run('zabbix_js -s script.js -p "$PARAMETERS"', {
        PARAMETERS: parameters,
      });
      expect(output).toContain('OK');
      expect(await alerts()).toEqual([
        expect.objectContaining({ title: 'High CPU load', severity: 'medium', status }),
      ]);
    }
  });
});

const PAGE = '<!doctype html><title>Shop</title><script src="/main.js"></script>';

/** Packages of Debian are below GOPATH, not modules. */
const GO_SETTINGS = ['GO111MODULE=off', 'GOPATH=/usr/share/gocode'];

/** Programs of the tutorials about errors, and how to run them with packages of Debian. */
const PROGRAMS = [
  { page: 'errors-node', files: ['instrument.mjs', 'app.mjs'], command: 'start', title: 'Error' },
  {
    page: 'errors-python',
    files: ['app.py'],
    packages: [
      {
        program: '/usr/bin/python3',
        packageName: 'python3-sentry-sdk',
        // Python is there without the package.
        checkArguments: ['-cimport sentry_sdk'],
      },
    ],
    // The package belongs to the system's Python; the program ends with its error.
    command: '! /usr/bin/python3 app.py',
    title: 'ValueError',
  },
  {
    page: 'errors-ruby',
    files: ['shop.rb'],
    packages: [
      {
        program: 'ruby',
        packageName: 'ruby ruby-sentry-ruby',
        checkArguments: ['-rsentry-ruby'],
      },
    ],
    command: 'start',
    title: 'RuntimeError',
  },
  {
    page: 'errors-go',
    files: ['main.go'],
    packages: [
      {
        program: 'env',
        packageName: 'golang-go golang-github-getsentry-sentry-go-dev',
        // Go is there without the package.
        checkArguments: [...GO_SETTINGS, 'go', 'list', 'github.com/getsentry/sentry-go'],
      },
    ],
    command: `${GO_SETTINGS.join(' ')} go run main.go`,
    title: '*errors.errorString',
    // The error itself has no stack trace.
    culprit: 'main(main)',
  },
];

describe.each(PROGRAMS)('the tutorial $page', (program) => {
  it('makes the SDK report its error', async () => {
    const { page, files, packages = [], command, title, culprit = 'checkout' } = program;
    packages.forEach(installProgram);
    const project = await makeErrorProject(app);
    const tutorial = new Tutorial(page, [[DSN, project.dsn]]);
    for (const file of files) await writeFile(join(folder, file), tutorial.named(file));
    await run(command === 'start' ? tutorial.named('start') : command);
    await eventually(async () => {
      expect(await project.errors()).toEqual([
        expect.objectContaining({
          title: `${title}: The order has no items`,
          culprit: expect.stringContaining(culprit),
        }),
      ]);
    });
  });
});

describe('the tutorial errors-python', () => {
  it('reports with the standard library alone', async () => {
    installProgram({ program: 'python3' });
    const project = await makeErrorProject(app);
    const tutorial = new Tutorial('errors-python', [[DSN, project.dsn]]);
    await writeFile(join(folder, 'report.py'), tutorial.named('report.py'));
    await run(tutorial.named('run report.py'));
    expect(await project.errors()).toEqual([
      expect.objectContaining({ title: 'RuntimeError: The backup is empty', platform: 'python' }),
    ]);
  });
});

describe('the tutorial errors-browser', () => {
  it('makes a page with a security policy report its error', async () => {
    const project = await makeErrorProject(app);
    const tutorial = new Tutorial('errors-browser', [
      [DSN, project.dsn],
      ['https://code.example.com', app.url],
    ]);
    await writeFile(join(folder, 'main.js'), tutorial.named('main.js'));
    const bundle = await rolldown({ input: join(folder, 'main.js'), platform: 'browser' });
    const { output } = await bundle.generate({ format: 'iife' });
    const [name = '', policy = ''] = tutorial.named('header').trim().split(': ');
    const shop = createServer((request, response) => {
      const isScript = request.url === '/main.js';
      response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
      response.setHeader(name, policy).end(isScript ? output[0].code : PAGE);
    });
    shop.listen(0);
    await once(shop, 'listening');
    const browser = await startBrowser();
    try {
      const page = await browser.open();
      await page.goto(`http://localhost:${(shop.address() as AddressInfo).port}/`);
      await page.evaluate(tutorial.named('console'));
      await eventually(async () => {
        expect(await project.errors()).toEqual([
          expect.objectContaining({ title: 'Error: Hello from the browser', unhandled: true }),
        ]);
      });
    } finally {
      await browser.close();
      shop.closeAllConnections();
      shop.close();
    }
  });
});

describe('the tutorial move-a-repository', () => {
  it('moves a project and drains its storage', async () => {
    const { token, api, user } = await makeAdmin(app);
    const name = unique('tour');
    const tutorial = new Tutorial('move-a-repository', [
      ['https://code.example.com/api', `${app.url}/api`],
      ['svcpat-…', token],
      ['name=tour', `name=${name}`],
      ['root%2Ftour', `${user.username}%2F${name}`],
    ]);
    const commands = tutorial.commands();
    const [create = '', move = '', show = '', drain = ''] = commands;
    const env = create.slice(0, create.indexOf('\n'));
    await run(create);
    expect(await run(`${env}\n${move}`)).toContain('"state":"scheduled"');
    await eventually(
      async () => expect(await run(`${env}\n${show}`)).toContain('"state":"finished"'),
      { seconds: 30 },
    );
    await run(`${env}\n${drain}`);
    await eventually(
      async () => {
        const left = await api.get('/projects?repository_storage=storage2').expect(200);
        expect(left.body).toEqual([]);
      },
      { seconds: 30 },
    );
  });
});

/** Results that the tour shows, in their order. */
const SHOWN = [
  '"version":',
  '"name":"tour"',
  '"state":"scheduled"',
  '"state":"finished"',
  '{"message":"202 Accepted"}[]',
  '{"file_path":"HELLO.md","branch":"hello"}',
  '"state":"opened"\n"state":"merged"',
  '"action_name":"accepted"',
  '"scopes":["read_repository"]',
  '"from":30,"to":60',
  '[{"iid":1,"title":"Disk full"}]\n[{"iid":1,"title":"Disk full"}]',
  '"event_count":3',
  '"active":true',
  '"culprit":"checkout(shop)"',
  '"count":2',
  '"scopes":["openid","email","read_user"]',
];

describe('the API tour', () => {
  it('shows what it says', async () => {
    const { token } = await makeAdmin(app, { username: 'root' });
    const { databaseUrl, queuePrefix, dataDir, secretKey, baseUrl } = app.config;
    const server = {
      DATABASE_URL: databaseUrl,
      REDIS_URL: process.env['TEST_REDIS_URL'],
      QUEUE_PREFIX: queuePrefix,
      DATA_DIR: dataDir,
      SECRET_KEY: secretKey,
      BASE_URL: baseUrl,
    };
    await run('git init -q && git -c user.name=A -c user.email=a@b.c commit -q --allow-empty -m A');
    const tutorial = new Tutorial('tour', [
      ['localhost:3000', new URL(app.url).host],
      ['svcpat-…', token],
      ['/tmp/', `${folder}/`],
      ['npx guildhall', `node ${resolve('dist/src/cli.js')}`],
      // The packages of the project serve as well.
      ['npm install @sentry/node', `ln -s ${resolve('node_modules')}`],
    ]);
    let rest = await run(tutorial.commands().join('\necho\n'), server);
    for (const shown of SHOWN) {
      expect(rest).toContain(shown);
      rest = rest.slice(rest.indexOf(shown) + shown.length);
    }
  });
});
