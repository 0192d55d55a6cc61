import { spawnSync } from 'node:child_process';
import { userInfo } from 'node:os';
import { Refusal } from './refusal.js';

/** Waits for other processes that install something. */
export const APT_INSTALL = 'apt-get -o DPkg::Lock::Timeout=300 install -y';

/**
 * @typedef {object} SystemProgram
 * @property {string} name as people call it
 * @property {string[]} programs names on PATH, in order of preference
 * @property {string[]} [checkArguments] succeed if the program is whole, `--version` unless given
 * @property {Array<{ manager: string, commands: string[] }>} installers by package manager
 * @property {string} byHand what to do instead, for the refusal
 */

/**
 * A program of this machine, installed through the system's package manager when there is none
 * and the user may.
 * @param {SystemProgram} wanted
 * @returns {string} name of a program on PATH
 * @throws {Refusal} naming the command for each system
 */
export function systemProgram(wanted) {
  const found = onPath(wanted);
  if (found) return found;
  const prefix = installRight();
  const installer = wanted.installers.find(({ manager }) => runs(manager));
  if (installer && (prefix !== null || installer.manager === 'brew')) {
    install(wanted, installer, installer.manager === 'brew' ? '' : (prefix ?? ''));
  }
  const installed = onPath(wanted);
  if (installed) return installed;
  throw new Refusal(`no ${wanted.name} on PATH and none could be installed. ${wanted.byHand}`);
}

/** @param {SystemProgram} wanted */
function onPath({ programs, checkArguments }) {
  return programs.find((program) => runs(program, checkArguments));
}

/** @param {string} program */
function runs(program, checkArguments = ['--version']) {
  return spawnSync(program, checkArguments, { stdio: 'ignore' }).status === 0;
}

/** @returns {'' | 'sudo -n ' | null} what to put before a command that installs, null: no right */
function installRight() {
  if (userInfo().uid === 0) return '';
  return spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0 ? 'sudo -n ' : null;
}

/**
 * @param {SystemProgram} wanted
 * @param {{ manager: string, commands: string[] }} installer
 * @param {string} prefix
 */
function install(wanted, { manager, commands }, prefix) {
  console.error(`guildhall: no ${wanted.name} found, installing one with ${manager}`);
  for (const command of commands) {
    // Package managers write to standard output, which belongs to the caller here.
    const stdio = /** @type {const} */ (['ignore', 2, 2]);
    // Debian starts the services it installs; ours are private ones on other ports.
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
    spawnSync('/bin/sh', ['-c', `${prefix}${command}`], { stdio: [...stdio], env });
    if (onPath(wanted)) return;
  }
}
