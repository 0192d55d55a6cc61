import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rolldown } from 'rolldown';
import { Document, DSN, follows, KEY, WEBHOOK } from '../docs/document.js';
import { makeIntegration } from '../support/alert-factories.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { startBrowser } from '../support/browser.js';
import { runCommand } from '../support/command.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../../deploy/local/ports.js';
import { makeGroup, makeMemberOf, makeProject } from '../support/project-factories.js';
import { installProgram } from '../support/system-package.js';
import { makeErrorProject } from './programs/error-project.js';
import { whileRunning } from './programs/server-runner.js';

follows('docs/tutorials/alerts-alertmanager.md', 'alertmanager.yml', 'check', 'try');
follows('docs/tutorials/alerts-zabbix.md', 'parameters', 'script');
follows('docs/tutorials/errors-browser.md', 'install', 'main.js', 'header', 'console');
follows('docs/tutorials/errors-go.md', 'main.go', 'start');
follows('docs/tutorials/errors-java.md', 'Shop.java');
follows('docs/tutorials/errors-node.md', 'install', 'instrument.mjs', 'app.mjs', 'start');
follows('docs/tutorials/errors-php.md', 'shop.php', 'start');
follows('docs/tutorials/errors-python.md', 'app.py', 'start', 'report.py', 'run report.py');
follows('docs/tutorials/errors-ruby.md', 'shop.rb', 'start');

let app: OwnTestApp;
let folder: string;
beforeAll(async () => {
  app = await startTestApp();
  folder = await mkdtemp(join(tmpdir(), 'guildhall-tutorials-'));
});
afterAll(async () => {
  await Promise.all([app.close(), rm(folder, { recursive: true })]);
});

/** A project with an integration, and a tutorial that has its address and key. */
async function receiving(page: string) {
  const group = await makeGroup(app);
  const project = await makeProject(app, { namespaceId: group.id });
  const { api } = await makeMemberOf(app, project, 'maintainer');
  const { url, token } = await makeIntegration(app, project);
  const tutorial = new Document(`docs/tutorials/${page}.md`, [
    [WEBHOOK, url],
    [KEY, token],
  ]);
  const alerts = async (): Promise<unknown> =>
    (await api.get(`/projects/${project.id}/alert_management_alerts`).expect(200)).body;
  return { tutorial, alerts };
}

/** Runs a command in a folder and fails with what it complained about. */
async function run(command: string, cwd = folder): Promise<string> {
  const { code, stdout, stderr } = await runCommand('sh', ['-ec', command], { cwd });
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
    const port = await freePort();
    const at = `127.0.0.1:${port}`;
    const args = [
      '--config.file=alertmanager.yml',
      `--storage.path=${folder}/alertmanager`,
      `--web.listen-address=${at}`,
      '--cluster.listen-address=',
    ];
    await whileRunning(['prometheus-alertmanager', ...args], { cwd: folder }, async () => {
      await eventually(async () => (await fetch(`http://${at}/-/ready`)).ok, { seconds: 30 });
      const check = tutorial.named('check').replace('localhost:9093', at);
      expect(await run(check.replace('curl', 'curl -f'))).toContain('SUCCESS');
      await run(tutorial.named('try').replace('localhost:9093', at));
      await eventually(
        async () =>
          expect(await alerts()).toEqual([
            expect.objectContaining({ title: 'Disk is nearly full', severity: 'low' }),
          ]),
        { seconds: 30 },
      );
    });
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
      await writeFile(join(folder, 'parameters.json'), parameters);
      const output = await run('zabbix_js -s script.js -p "$(cat parameters.json)"');
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
  {
    page: 'errors-node',
    files: ['instrument.mjs', 'app.mjs'],
    install: true,
    title: 'Error',
  },
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
    adapt: (start: string) => start.replace('python3', '! /usr/bin/python3'),
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
    adapt: (start: string) => `${GO_SETTINGS.join(' ')} ${start}`,
    title: '*errors.errorString',
    // The error itself has no stack trace.
    culprit: 'main(main)',
  },
];

describe.each(PROGRAMS)('the tutorial $page', (program) => {
  it('makes the SDK report its error', async () => {
    const { page, files, packages = [], install = false, title, culprit = 'checkout' } = program;
    const { adapt = (start: string) => start } = program;
    packages.forEach(installProgram);
    const place = await mkdtemp(join(folder, 'program-'));
    const project = await makeErrorProject(app);
    const tutorial = new Document(`docs/tutorials/${page}.md`, [[DSN, project.dsn]]);
    for (const file of files) await writeFile(join(place, file), tutorial.named(file));
    if (install) await run(tutorial.named('install'), place);
    await run(adapt(tutorial.named('start')), place);
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
    const tutorial = new Document('docs/tutorials/errors-python.md', [[DSN, project.dsn]]);
    await writeFile(join(folder, 'report.py'), tutorial.named('report.py'));
    await run(tutorial.named('run report.py'));
    expect(await project.errors()).toEqual([
      expect.objectContaining({ title: 'RuntimeError: The backup is empty', platform: 'python' }),
    ]);
  });
});

/** What the tutorials call of SDKs that Debian does not have. */
const JAVA_SDK = `package io.sentry;
public class Sentry {
  public static class Options {
    public void setDsn(String dsn) { System.out.println(dsn); }
    public void setEnvironment(String environment) { }
    public void setRelease(String release) { }
    public void addInAppInclude(String prefix) { }
  }
  public static void init(java.util.function.Consumer<Options> configure) {
    configure.accept(new Options());
  }
}`;

const PHP_SDK = `<?php
namespace Sentry;
function init(array $options): void { echo $options['dsn'], PHP_EOL; }`;

describe('the tutorials errors-java and errors-php', () => {
  it('have a program that Java runs, with a stand-in for the SDK', async () => {
    installProgram({ program: 'javac', packageName: 'default-jdk-headless' });
    const place = await mkdtemp(join(folder, 'java-'));
    const tutorial = new Document('docs/tutorials/errors-java.md');
    await writeFile(join(place, 'Shop.java'), tutorial.named('Shop.java'));
    await writeFile(join(place, 'Sentry.java'), JAVA_SDK);
    await run('javac -d . Sentry.java Shop.java', place);
    const output = await run('! java -cp . Shop 2>&1', place);
    expect(output).toMatch(DSN);
    expect(output).toContain('IllegalStateException: The order has no items');
  }, 300_000);

  it('have a program that PHP runs, with a stand-in for the SDK', async () => {
    installProgram({ program: 'php', packageName: 'php-cli' });
    const place = await mkdtemp(join(folder, 'php-'));
    const tutorial = new Document('docs/tutorials/errors-php.md');
    await writeFile(join(place, 'shop.php'), tutorial.named('shop.php'));
    await mkdir(join(place, 'vendor'));
    await writeFile(join(place, 'vendor/autoload.php'), PHP_SDK);
    const output = await run(`! ${tutorial.named('start').trim()} 2>&1`, place);
    expect(output).toMatch(DSN);
    expect(output).toContain('RuntimeException: The order has no items');
  }, 300_000);
});

describe('the tutorial errors-browser', () => {
  it('makes a page with a security policy report its error', async () => {
    const project = await makeErrorProject(app);
    const tutorial = new Document('docs/tutorials/errors-browser.md', [
      [DSN, project.dsn],
      ['https://code.example.com', app.url],
    ]);
    const place = await mkdtemp(join(folder, 'page-'));
    await run(tutorial.named('install'), place);
    await writeFile(join(place, 'main.js'), tutorial.named('main.js'));
    const bundle = await rolldown({ input: join(place, 'main.js'), platform: 'browser' });
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
