import type { INestApplicationContext } from '@nestjs/common';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { NO_PRECONDITIONS } from '../core/preconditions.js';
import { UserDeletionService } from '../identity/users/user-deletion.service.js';
import { type UserAction, UserStateService } from '../identity/users/user-state.service.js';
import { UsersRepository } from '../identity/users/users.repository.js';
import { UsersService } from '../identity/users/users.service.js';
import { type Cli, CliError } from './cli.js';
import { CliRepository, type ListedUser, USER_LIST_FILTERS } from './cli.repository.js';

const MAX_LISTED = 10_000;

interface ListUsersOptions {
  filter: (typeof USER_LIST_FILTERS)[number];
  search?: string;
  limit: number;
}

interface DeleteOptions {
  yes?: boolean;
  hard?: boolean;
}

/** `guildhall user list|password|block|unblock|unlock|admin|delete` */
export function registerAccounts(users: Command, cli: Cli): void {
  users
    .command('list')
    .description('show users, newest first')
    .addOption(
      new Option('--filter <filter>', 'only these users')
        .choices(USER_LIST_FILTERS)
        .default('people'),
    )
    .option('--search <text>', 'part of the username, name or email address')
    .option('--limit <count>', 'number of users', parseLimit, 100)
    .action((options: ListUsersOptions) => list(cli, options));
  users
    .command('password')
    .description('set a new password, which ends all sessions of the user')
    .argument('<username>')
    .requiredOption('--password-stdin', 'read the password from standard input')
    .action((username: string) => setPassword(cli, username));
  for (const action of ['block', 'unblock'] as const) {
    users
      .command(action)
      .description(action === 'block' ? 'block a user from signing in' : 'unblock a user')
      .argument('<username>')
      .action((username: string) => changeState(cli, action, username));
  }
  users
    .command('unlock')
    .description('unlock an account that is locked after wrong passwords')
    .argument('<username>')
    .action((username: string) => unlock(cli, username));
  users
    .command('admin')
    .description('make a user an administrator')
    .argument('<username>')
    .option('--revoke', 'make an administrator a regular user instead')
    .action((username: string, { revoke }: { revoke?: boolean }) =>
      setAdmin(cli, username, revoke !== true),
    );
  users
    .command('delete')
    .description('delete a user; contributions are kept under the ghost user')
    .argument('<username>')
    .option('--hard', 'also delete contributions, and groups without another owner')
    .requiredOption('--yes', 'confirm: a deleted user cannot be restored')
    .action((username: string, options: DeleteOptions) => deleteUser(cli, username, options));
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LISTED) return limit;
  throw new InvalidArgumentError(`It must be between 1 and ${MAX_LISTED}.`);
}

async function list(cli: Cli, options: ListUsersOptions): Promise<void> {
  const users = await cli.withApp((app) => app.get(CliRepository).listUsers(options));
  cli.print(users, users.map(describeUser).join('\n') || 'No users.');
}

function describeUser(user: ListedUser): string {
  const traits = [user.state, ...(user.admin ? ['admin'] : []), ...(user.locked ? ['locked'] : [])];
  const use = user.last_activity_on ?? 'never';
  return `${user.id}  ${user.username}  ${user.email}  ${traits.join(', ')}  active ${use}`;
}

/** Runs `work` with the ID of the user. Throws CliError without one. */
async function withUser(
  cli: Cli,
  username: string,
  work: (app: INestApplicationContext, id: number) => Promise<void>,
): Promise<void> {
  await cli.withApp(async (app) => {
    const id = await app.get(UsersRepository).findIdByUsername(username);
    if (id === null) throw new CliError(`there is no user ${username}`);
    await work(app, id);
  });
}

async function setPassword(cli: Cli, username: string): Promise<void> {
  const [password = ''] = (await cli.io.readStdin()).split(/\r?\n/);
  if (password === '') throw new CliError('no password on standard input');
  await withUser(cli, username, (app, id) =>
    app
      .get(UsersService)
      .update({ id, dto: { password }, preconditions: NO_PRECONDITIONS }, cli.actor),
  );
  cli.print({ username, password_changed: true }, `The password of ${username} is changed.`);
}

async function changeState(cli: Cli, action: UserAction, username: string): Promise<void> {
  await withUser(cli, username, async (app, id) => {
    await app.get(UserStateService).act(action, id, cli.actor);
  });
  const isBlocked = action === 'block';
  cli.print(
    { username, blocked: isBlocked },
    `${username} is ${isBlocked ? 'blocked' : 'unblocked'}.`,
  );
}

async function unlock(cli: Cli, username: string): Promise<void> {
  await withUser(cli, username, (app, id) => app.get(UserStateService).unlock(id, cli.actor));
  cli.print({ username, locked: false }, `${username} is unlocked.`);
}

async function setAdmin(cli: Cli, username: string, admin: boolean): Promise<void> {
  await withUser(cli, username, (app, id) =>
    app
      .get(UsersService)
      .update({ id, dto: { admin }, preconditions: NO_PRECONDITIONS }, cli.actor),
  );
  cli.print(
    { username, admin },
    `${username} is ${admin ? 'an administrator' : 'a regular user'}.`,
  );
}

async function deleteUser(cli: Cli, username: string, { hard }: DeleteOptions): Promise<void> {
  await withUser(cli, username, (app, id) =>
    app
      .get(UserDeletionService)
      .delete({ id, preconditions: NO_PRECONDITIONS, isHard: hard === true }, cli.actor),
  );
  cli.print({ username, deleted: true }, `${username} is deleted.`);
}
