import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runGuildhall } from '../support/cli.js';
import { runCommand } from '../support/command.js';
import { installProgram } from '../support/system-package.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guildhall-completion-'));
  await mkdir(join(folder, 'empty'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function writeScript(shell: string, name: string): Promise<string> {
  const { code, stdout } = await runGuildhall(['completion', shell], { env: {} });
  expect(code).toBe(0);
  const path = join(folder, name);
  await writeFile(path, stdout);
  return path;
}

describe('guildhall completion', () => {
  it('works in zsh, from fpath and at the first call', async () => {
    installProgram({ program: 'zsh' });
    await writeScript('zsh', '_guildhall');
    // The functions of zsh's own completion are there only while someone types.
    const script = `fpath=(${folder}); compdef() { }; _files() { }; _describe() { print -l -- $found }
      autoload -U _guildhall; words=(guildhall backup cr); CURRENT=3; _guildhall
      words=(guildhall doctor --); CURRENT=3; _guildhall; whence -p ls`;
    const { stdout, stderr } = await runCommand('zsh', ['-f', '-c', script]);
    expect(stderr).toBe('');
    const lines = stdout.split('\n').map((line) => line.split(':')[0]);
    expect(lines).toEqual(expect.arrayContaining(['create', 'restore', '--fix', '--json']));
    expect(lines).not.toContain('doctor');
    expect(lines.at(-2)).toMatch(/\/ls$/);
  }, 300_000);

  it('works in fish, at the top level and below', async () => {
    installProgram({ program: 'fish' });
    const path = await writeScript('fish', 'guildhall.fish');
    const complete = async (line: string): Promise<string[]> => {
      const script = `source ${path}; complete -C '${line}'`;
      const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder };
      const { stdout, stderr } = await runCommand('fish', ['-N', '-c', script], {
        env,
        cwd: join(folder, 'empty'),
      });
      expect(stderr).toBe('');
      return stdout.split('\n').map((found) => found.split('\t')[0] ?? '');
    };
    expect(await complete('guildhall doc')).toEqual(['doctor', '']);
    expect(await complete('guildhall backup cr')).toEqual(['create', '']);
    expect(await complete('guildhall doctor --fi')).toEqual(['--fix', '']);
  }, 300_000);
});
