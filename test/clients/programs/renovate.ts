import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runCommand } from '../../support/command.js';

/** It runs on the Node of the image, as the tests do. */
const VERSION = '41.173.1';

interface Run {
  /** Full path of the only project it looks at. */
  project: string;
  endpoint: string;
  token: string;
  /** Address of the package registry. */
  registry: string;
}

/** Installs Renovate unless it is there: it is too large for the dependencies of this project. */
export async function installRenovate(): Promise<void> {
  if (
    await access(folder()).then(
      () => true,
      () => false,
    )
  )
    return;
  await mkdir(resolve('node_modules/.cache'), { recursive: true });
  const temporary = await mkdtemp(resolve('node_modules/.cache/renovate-'));
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--omit=optional'];
  const { code, stderr } = await runCommand(
    'npm',
    ['install', ...options, '--prefix', temporary, `renovate@${VERSION}`],
    { cwd: temporary },
  );
  if (code !== 0) throw new Error(`Renovate could not be installed: ${stderr}`);
  await rename(temporary, folder());
}

/** Runs Renovate once over a project, as a scheduled job does; throws with its log on failure. */
export async function runRenovate({ project, endpoint, token, registry }: Run): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'renovate-'));
  const program = join(folder(), 'node_modules/renovate/dist/renovate.js');
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    LOG_LEVEL: 'debug',
    RENOVATE_BASE_DIR: join(home, 'base'),
    RENOVATE_PLATFORM: 'gitlab',
    RENOVATE_ENDPOINT: endpoint,
    RENOVATE_TOKEN: token,
    RENOVATE_NPMRC: `registry=${registry}`,
    RENOVATE_FETCH_CHANGE_LOGS: 'off',
    RENOVATE_PR_HOURLY_LIMIT: '0',
    // It would wait 14 seconds for each pipeline that nothing reports.
    RENOVATE_X_GITLAB_AUTO_MERGEABLE_CHECK_ATTEMPS: '1',
    RENOVATE_GIT_AUTHOR: 'Renovate <renovate@example.com>',
  };
  try {
    const { code, stdout, stderr } = await runCommand(process.execPath, [program, project], {
      env,
    });
    const failures = stdout.split('\n').filter((line) => /^ ?(?:ERROR|FATAL):/.test(line));
    if (code !== 0 || failures.length > 0) throw new Error(`Renovate failed: ${stdout}${stderr}`);
  } finally {
    await rm(home, { recursive: true });
  }
}

function folder(): string {
  return resolve(`node_modules/.cache/renovate-${VERSION}`);
}
