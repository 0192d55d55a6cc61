import type { INestApplicationContext } from '@nestjs/common';
import { keyStateAt, type KeyState } from '../oauth/openid/signing-key-schedule.js';
import {
  SigningKeyStore,
  usable,
  type StoredKey,
} from '../oauth/openid/signing-key-store.service.js';
import type { Cli, RegisterCommand } from './cli.js';

/** A signing key as the command line shows it. */
interface ShownKey {
  kid: string;
  state: KeyState | 'unreadable';
  active_from: string;
  created_at: string;
}

/** `guildhall keys list|rotate` */
export const registerKeys: RegisterCommand = (program, cli) => {
  const keys = program.command('keys').description('the keys that sign id_tokens');
  keys
    .command('list')
    .description('show the published keys and what each is for')
    .action(() => list(cli));
  keys
    .command('rotate')
    .description('make the next key now; it signs in a day, when clients know it')
    .option('--at-once', 'withdraw all keys, because they have leaked')
    .action((options: { atOnce?: boolean }) => rotate(cli, options.atOnce === true));
};

function list(cli: Cli): Promise<void> {
  return cli.withApp(async (app) => show(cli, await storeOf(app).read()));
}

function rotate(cli: Cli, atOnce: boolean): Promise<void> {
  return cli.withApp(async (app) => {
    const store = storeOf(app);
    const now = new Date();
    show(cli, await (atOnce ? store.replaceAll(now) : store.advance(now)));
  });
}

function storeOf(app: INestApplicationContext): SigningKeyStore {
  return app.get(SigningKeyStore, { strict: false });
}

function show(cli: Cli, keys: readonly StoredKey[]): void {
  const now = new Date();
  const shown = keys.map((key) => shownOf(key, keys, now));
  const lines = shown.map(({ kid, state, active_from: from }) => `${kid}  ${state}, from ${from}`);
  cli.print(shown, lines.join('\n') || 'There are no keys yet: the first sign-in makes one');
}

function shownOf(key: StoredKey, keys: readonly StoredKey[], now: Date): ShownKey {
  const state = key.privateJwk === null ? 'unreadable' : keyStateAt(key, usable(keys), now);
  return {
    kid: key.kid,
    state,
    active_from: key.activeFrom.toISOString(),
    created_at: key.createdAt.toISOString(),
  };
}
