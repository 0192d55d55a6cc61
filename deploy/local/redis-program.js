import { systemProgram } from './system-program.js';

const REDIS = {
  name: 'Redis server',
  programs: ['redis-server', 'valkey-server'],
  installers: [
    { manager: 'apt-get', commands: ['apt-get update', 'apt-get install -y redis-server'] },
    { manager: 'dnf', commands: ['dnf install -y redis', 'dnf install -y valkey'] },
    { manager: 'apk', commands: ['apk add redis', 'apk add valkey'] },
    { manager: 'brew', commands: ['brew install redis'] },
  ],
  byHand:
    'Set REDIS_URL, or: Debian: apt-get install -y redis-server · Fedora: dnf install -y valkey · Alpine: apk add redis · macOS: brew install redis',
};

/** The Redis or Valkey server of this machine, installed when there is none and the user may. */
export function redisProgram() {
  return systemProgram(REDIS);
}
