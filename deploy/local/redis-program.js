import { spawnSync } from 'node:child_process';
import { userInfo } from 'node:os';
import { Refusal } from './refusal.js';

const PROGRAMS = ['redis-server', 'valkey-server'];

const INSTALLERS = [
  { manager: 'apt-get', commands: ['apt-get update', 'apt-get install -y redis-server'] },
  { manager: 'dnf', commands: ['dnf install -y redis', 'dnf install -y valkey'] },
  { manager: 'apk', commands: ['apk add redis', 'apk add valkey'] },
  { manager: 'brew', commands: ['brew install redis'] },
];

const BY_HAND =
  'Debian: apt-get install -y redis-server · Fedora: dnf install -y valkey · Alpine: apk add redis · macOS: brew install redis';

/**
 * The Redis or Valkey server of this machine, installed through the system's package manager
 * when there is none and the user may.
 * @returns {string} name of a program on PATH
 * @throws {Refusal} naming the command for each system
 */
export function redisProgram() {
  const found = onPath();
  if (found) return found;
  const prefix = installRight();
  const installer = INSTALLERS.find(({ manager }) => runs(manager));
  if (installer && (prefix !== null || installer.manager === 'brew')) {
    install(installer, installer.manager === 'brew' ? '' : (prefix ?? ''));
  }
  const installed = onPath();
  if (installed) return installed;
  throw new Refusal(
    `no Redis server on PATH and none could be installed. Set REDIS_URL, or: ${BY_HAND}`,
  );
}

function onPath() {
  return PROGRAMS.find(runs);
}

/** @param {string} program */
function runs(program) {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
}

/** @returns {'' | 'sudo -n ' | null} what to put before a command that installs, null: no right */
function installRight() {
  if (userInfo().uid === 0) return '';
  return spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0 ? 'sudo -n ' : null;
}

/**
 * @param {{ manager: string, commands: string[] }} installer
 * @param {string} prefix
 */
function install({ manager, commands }, prefix) {
  console.error(`guildhall: no Redis server found, installing one with ${manager}`);
  for (const command of commands) {
    // Package managers write to standard output, which belongs to the caller here.
    const stdio = /** @type {const} */ (['ignore', 2, 2]);
    // Debian starts the service it installs; ours is a private one on another port.
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
    spawnSync('/bin/sh', ['-c', `${prefix}${command}`], { stdio: [...stdio], env });
    if (onPath()) return;
  }
}
