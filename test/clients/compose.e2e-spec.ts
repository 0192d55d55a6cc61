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

/** Returns the options of a command of Compose, and whether each takes a value. */
async function optionsOf(verb: string): Promise<Map<string, boolean>> {
  const { stdout: help } = await runCommand('docker-compose', [verb, '--help']);
  const lines = help.matchAll(/^ +(-\w|--[\w-]+)(?:, (--[\w-]+))?([ =]\S)?/gm);
  return new Map(
    [...lines].flatMap(([, ...names]) => {
      const hasValue = names.pop() !== undefined;
      return names.map((name) => [name, hasValue] as const);
    }),
  );
}

/** Returns the options and services of a call that Compose would refuse. */
async function problemsOf(call: string): Promise<string[]> {
  const [, , verb = '', ...words] = call.split(' ');
  const options = await optionsOf(verb);
  const services = await runCommand('docker-compose', ['config', '--services']);
  const known = services.stdout.trim().split('\n');
  const problems: string[] = [];
  while (words[0]?.startsWith('-')) {
    const option = words.shift() ?? '';
    const hasValue = options.get(option);
    if (hasValue === undefined) problems.push(option);
    if (hasValue === true) words.shift();
  }
  // What follows the service of exec is a command in the container.
  const named = verb === 'exec' ? [words[0] ?? 'no service'] : words;
  return [...problems, ...named.filter((service) => !known.includes(service))];
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

  it('are refused with an unknown option, or a service that the file lacks', async () => {
    const calls = ['exec -T wbe guildhall doctor --json', 'kill -s HUP wbe', 'logs --fllow web'];
    const problems = await Promise.all(calls.map((call) => problemsOf(`docker compose ${call}`)));
    expect(problems).toEqual([['wbe'], ['wbe'], ['--fllow']]);
  });

  it('restart the processes of a container by the signal', async () => {
    const lines = new Document('docs/how-to/processes.md').named('reload').trimEnd().split('\n');
    const command = 'docker compose kill -s HUP web';
    expect(lines).toEqual(['systemctl reload guildhall-web', command]);
    const { calls } = await follow(command);
    expect(calls).toEqual([command]);
    expect(await problemsOf(calls[0] ?? '')).toEqual([]);
  });
});
