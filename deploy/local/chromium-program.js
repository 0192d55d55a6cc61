import { spawnSync } from 'node:child_process';
import { Refusal } from './refusal.js';
import { APT_INSTALL, systemProgram } from './system-program.js';

const CHROMIUM = {
  name: 'Chromium',
  // The headless shell opens a page in a quarter of the time that the whole browser takes.
  programs: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'],
  installers: [
    {
      manager: 'apt-get',
      commands: [
        'apt-get update',
        `${APT_INSTALL} --no-install-recommends chromium-headless-shell`,
        `${APT_INSTALL} --no-install-recommends chromium`,
      ],
    },
    { manager: 'dnf', commands: ['dnf install -y chromium'] },
    { manager: 'apk', commands: ['apk add chromium'] },
  ],
  byHand:
    'Set CHROMIUM_PATH, or: Debian: apt-get install -y chromium · Fedora: dnf install -y chromium · Alpine: apk add chromium',
};

/**
 * Path of the browser for tests: CHROMIUM_PATH, else the one of this machine, installed when there
 * is none and the user may.
 * @returns {string}
 * @throws {Refusal} when there is no browser
 */
export function chromiumProgram() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const name = systemProgram(CHROMIUM);
  const { stdout } = spawnSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' });
  const path = stdout.trim();
  if (path === '') throw new Refusal(`${name} runs, but the shell does not find it`);
  return path;
}
