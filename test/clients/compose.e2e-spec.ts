import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Document, follows } from '../docs/document.js';
import { cliEnvironment } from '../support/cli.js';
import { runCommand } from '../support/command.js';
import { createTestDatabase } from '../support/database.js';
import { installProgram } from '../support/system-package.js';

follows('README.md', 'compose');
follows('docs/how-to/install.md', 'compose');
follows('docs/how-to/processes.md', 'reload');

/** Without the daemon that it recommends. */
const PACKAGE = 'docker-compose --no-install-recommends';

/** What only a daemon can do is not done: `up` prints the resolved file, others their arguments. */
const DOCKER = `#!/bin/sh
echo "docker $*" >>"$CALLS"
[ "$1 $2" = 'compose up' ] && exec docker-compose config
exit 0
`;

let folder: string;
beforeAll(async () => {
  installProgram({ program: 'docker-compose', packageName: PACKAGE });
  folder = await mkdtemp(join(tmpdir(), 'guildhall-compose-'));
}, 300_000);
afterAll(() => rm(folder, { recursive: true }));

/** Runs commands in a checkout of their own; returns the resolved file and the calls of docker. */
async function follow(commands: string): Promise<{ place: string; file: string; calls: string[] }> {
  const place = await mkdtemp(join(folder, 'checkout-'));
  await mkdir(join(place, 'deploy'));
  for (const path of ['compose.yaml', 'deploy/make-secrets.sh']) await cp(path, join(place, path));
  const programs = join(place, 'programs');
  await mkdir(programs);
  await writeFile(join(programs, 'docker'), DOCKER);
  await chmod(join(programs, 'docker'), 0o755);
  const CALLS = join(place, 'calls');
  const env = { HOME: place, PATH: `${programs}:${process.env['PATH']}`, CALLS };
  const { code, stdout, stderr } = await runCommand('sh', ['-ec', commands], { cwd: place, env });
  if (code !== 0) throw new Error(`${commands} ended with ${code}: ${stdout}${stderr}`);
  return { place, file: stdout, calls: (await readFile(CALLS, 'utf8')).trim().split('\n') };
}

/** Returns what Compose itself would refuse about a call: an unknown option or service. */
async function problemsOf(call: string): Promise<string[]> {
  const [, , verb = '', ...args] = call.split(' ');
  const { stdout: help } = await runCommand('docker-compose', [verb, '--help']);
  const options = args.filter((word) => word.startsWith('-'));
  const services = args.filter((word) => /^(?:web|worker|setup)$/.test(word));
  const compose = await readFile('compose.yaml', 'utf8');
  return [
    ...options.filter((option) => !help.includes(`${option} `) && !help.includes(`${option},`)),
    ...services.filter((service) => !compose.includes(`\n  ${service}:\n`)),
  ];
}

describe('the commands for Compose, with docker-compose in place of a daemon', () => {
  it.each(['README.md', 'docs/how-to/install.md'])(
    'make secrets and start, in %s',
    async (path) => {
      const { place, file, calls } = await follow(new Document(path).named('compose'));
      for (const service of ['postgres', 'redis', 'setup', 'web', 'worker']) {
        expect(file).toContain(`\n  ${service}:\n`);
      }
      expect(file).toContain(`${place}/secrets/secret_key`);
      expect((await stat(join(place, 'secrets'))).mode & 0o777).toBe(0o700);
      for (const call of calls) expect(await problemsOf(call)).toEqual([]);
      if (path !== 'README.md') {
        expect(file).toContain('BASE_URL: https://code.example.com');
        expect(file).toMatch(/TRUST_PROXY: ['"]1['"]/);
        expect(file).toContain('127.0.0.1');
      }
    },
  );

  it('print the initial secrets by what runs in the container', async () => {
    const { calls } = await follow(new Document('docs/how-to/install.md').named('compose'));
    const [, command] = /^docker compose exec web (.*)$/.exec(calls.at(-1) ?? '') ?? [];
    expect(command).toBe('guildhall initial-secrets');
    // The image has this link.
    await symlink(resolve('deploy/docker-entrypoint.sh'), join(folder, 'guildhall'));
    expect(await readFile('Dockerfile', 'utf8')).toContain(
      'docker-entrypoint.sh /usr/local/bin/guildhall',
    );
    const database = await createTestDatabase();
    const env = cliEnvironment(database, await mkdtemp(join(folder, 'data-')), {
      PATH: `${folder}:${process.env['PATH']}`,
    });
    try {
      const setup = await runCommand('guildhall', ['setup', '--hide-secrets'], { env });
      expect(setup.code).toBe(0);
      const secrets = await runCommand('sh', ['-ec', String(command)], { env });
      expect(secrets).toMatchObject({ code: 0, stdout: expect.stringContaining('svcpat-') });
    } finally {
      await database.drop();
    }
  });

  it('restart the processes of a container by the signal', async () => {
    const [, command = ''] = new Document('docs/how-to/processes.md').named('reload').split('\n');
    const { calls } = await follow(command);
    expect(calls).toEqual(['docker compose kill -s HUP web']);
    expect(await problemsOf(calls[0] ?? '')).toEqual([]);
  });
});
