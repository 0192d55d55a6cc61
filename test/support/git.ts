import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runCommand, type CommandResult } from './command.js';

/** A place for clones in which git sees neither the system's nor the user's configuration. */
export interface GitSandbox {
  path: string;
  /** Runs git in `directory` (relative to the sandbox); never throws for an exit code. */
  try(args: readonly string[], directory?: string): Promise<CommandResult>;
  /** Runs git and returns what it printed, trimmed; throws with its complaint. */
  run(args: readonly string[], directory?: string): Promise<string>;
  /** Writes a file and commits it in the clone `directory`; returns the commit's id. */
  commit(directory: string, file: string, content: string): Promise<string>;
  remove(): Promise<void>;
}

/** Makes an empty sandbox; remove it when the test file ends. */
export async function makeGitSandbox(): Promise<GitSandbox> {
  const path = await mkdtemp(join(tmpdir(), 'guildhall-git-'));
  const env = sandboxEnvironment(path);
  const tryGit = (args: readonly string[], directory = '.'): Promise<CommandResult> =>
    runCommand('git', args, { env, cwd: join(path, directory) });
  const run = async (args: readonly string[], directory = '.'): Promise<string> => {
    const { code, stdout, stderr } = await tryGit(args, directory);
    if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${code}: ${stderr}`);
    return stdout.trim();
  };
  const commit = async (directory: string, file: string, content: string): Promise<string> => {
    const target = join(path, directory, file);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content);
    await run(['add', '--', file], directory);
    await run(['commit', '--quiet', '-m', `Change ${file}`], directory);
    return run(['rev-parse', 'HEAD'], directory);
  };
  const remove = (): Promise<void> => rm(path, { recursive: true, force: true });
  return { path, try: tryGit, run, commit, remove };
}

function sandboxEnvironment(home: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    HOME: home,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: 'Test Author',
    GIT_AUTHOR_EMAIL: 'author@example.com',
    GIT_COMMITTER_NAME: 'Test Author',
    GIT_COMMITTER_EMAIL: 'author@example.com',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'init.defaultBranch',
    GIT_CONFIG_VALUE_0: 'main',
  };
}
