import { Option, InvalidArgumentError } from 'commander';
import type { INestApplicationContext } from '@nestjs/common';
import { ADMIN_SCOPES, PERSONAL_TOKEN_SCOPES, type Scope } from '../core/access/scopes.js';
import { Clock } from '../core/clock.js';
import { INVALID, toDate, toInteger } from '../core/params/coerce.js';
import { AccessTokensRepository } from '../identity/tokens/access-tokens.repository.js';
import { TokenCreationService } from '../identity/tokens/token-creation.service.js';
import { dayOf, TokenExpiry } from '../identity/tokens/token-expiry.service.js';
import { TokenRevocationService } from '../identity/tokens/token-revocation.service.js';
import { presentToken, type TokenResponse } from '../identity/tokens/token.presenter.js';
import { UsersRepository } from '../identity/users/users.repository.js';
import { registerAccounts } from './account.command.js';
import { type Cli, CliError, examplesText, type RegisterCommand } from './cli.js';
import { CliRepository, type TokenUser } from './cli.repository.js';
import { UsersService } from '../identity/users/users.service.js';

interface CreateUserOptions {
  username: string;
  name: string;
  email: string;
  password?: string;
  passwordStdin?: boolean;
  admin?: boolean;
}

const USER_EXAMPLES = [
  'user create --username sam --name "Sam Example" --email sam@example.com --password-stdin < file',
  'user list --filter locked',
  'user unlock sam',
];
const TOKEN_EXAMPLES = [
  'token create --user sam --name laptop --scope api read_repository',
  'token list --user sam',
];

/** `guildhall user create`, and what is in `account.command.ts` */
export const registerUser: RegisterCommand = (program, cli) => {
  const users = program
    .command('user')
    .description('manage users')
    .addHelpText('after', examplesText(USER_EXAMPLES));
  users
    .command('create')
    .description('create a user; without a password, password sign-in is disabled')
    .requiredOption('--username <username>', 'unique, also the path of the personal namespace')
    .requiredOption('--name <name>', 'full name')
    .requiredOption('--email <address>', 'unique email address, counts as confirmed')
    .option('--password <password>', 'visible to other users of this machine while it runs')
    .addOption(
      new Option('--password-stdin', 'read the password from standard input').conflicts('password'),
    )
    .option('--admin', 'make the user an administrator')
    .action((options: CreateUserOptions) => createUser(cli, options));
  registerAccounts(users, cli);
};

async function createUser(cli: Cli, options: CreateUserOptions): Promise<void> {
  const { username, name, email, admin = false } = options;
  const password = await chosenPassword(cli, options);
  const user = await cli.withApp((app) =>
    app
      .get(UsersService)
      .create({ username, name, email, password, attributes: { admin } }, cli.actor),
  );
  cli.print({ id: user.id, username, name, email, admin }, `Created ${username} (id ${user.id}).`);
}

async function chosenPassword(
  cli: Cli,
  { password, passwordStdin }: CreateUserOptions,
): Promise<string | null> {
  if (passwordStdin !== true) return password ?? null;
  const [line = ''] = (await cli.io.readStdin()).split(/\r?\n/);
  if (line === '') throw new CliError('no password on standard input');
  return line;
}

interface CreateTokenOptions {
  user: string;
  name: string;
  scope: Scope[];
  /** `YYYY-MM-DD`. */
  expiresAt?: string;
}

interface ListTokensOptions {
  user: string;
  all?: boolean;
}

/** `guildhall token create|list|revoke` */
export const registerToken: RegisterCommand = (program, cli) => {
  const tokens = program
    .command('token')
    .description('manage access tokens')
    .addHelpText('after', examplesText(TOKEN_EXAMPLES));
  tokens
    .command('create')
    .description('create a personal access token and print it; it cannot be shown again')
    .requiredOption('--user <username>', 'user that the token acts as')
    .requiredOption('--name <name>', 'name of the token')
    .addOption(
      new Option('--scope <scope...>', 'scopes of the token')
        .choices(PERSONAL_TOKEN_SCOPES)
        .makeOptionMandatory(),
    )
    .option('--expires-at <date>', 'expiry date, UTC (default: the maximum lifetime)', parseDay)
    .action((options: CreateTokenOptions) => createToken(cli, options));
  tokens
    .command('list')
    .description('show the active tokens of a user')
    .requiredOption('--user <username>', 'user that they act as')
    .option('--all', 'include revoked and expired tokens')
    .action((options: ListTokensOptions) => listTokens(cli, options));
  tokens
    .command('revoke')
    .description('revoke a token')
    .argument('<id>', 'ID as shown by `token list`', parseId)
    .action((id: number) => revokeToken(cli, id));
};

function parseDay(text: string): string {
  const date = toDate(text);
  if (typeof date !== 'string') throw new InvalidArgumentError('Use YYYY-MM-DD.');
  return date;
}

function parseId(text: string): number {
  const id = toInteger(text);
  if (id === INVALID || id === null) throw new InvalidArgumentError('It must be a number.');
  return id as number;
}

async function createToken(cli: Cli, options: CreateTokenOptions): Promise<void> {
  const scopes = [...new Set(options.scope)];
  const { details, raw } = await cli.withApp(async (app) => {
    const expiresAt = app.get(TokenExpiry).ofNewToken(options.expiresAt);
    const user = await findUser(app, options.user);
    assertScopesFit(user, scopes);
    const input = { userId: user.id, name: options.name, scopes, expiresAt };
    return app.get(TokenCreationService).create(input, cli.actor);
  });
  const { id, name, expiresAt } = details;
  const expires = expiresAt === null ? null : dayOf(expiresAt);
  cli.print({ id, token: raw, user: options.user, name, scopes, expires_at: expires }, raw);
}

/** Prints the tokens of a user, bots included, as the API shows them to administrators. */
async function listTokens(cli: Cli, { user, all = false }: ListTokensOptions): Promise<void> {
  const tokens = await cli.withApp(async (app) => {
    const userId = await app.get(UsersRepository).findIdByUsername(user);
    if (userId === null) throw new CliError(`there is no user ${user}`);
    const rows = await app.get(AccessTokensRepository).listManagedOfUser(userId);
    const now = app.get(Clock).now();
    return rows.map((row) => presentToken(row, now)).filter(({ active }) => all || active);
  });
  const lines = tokens.map(describeToken);
  cli.print(tokens, lines.length === 0 ? `${user} has no such token.` : lines.join('\n'));
}

function describeToken(token: TokenResponse): string {
  const use = token.last_used_at === null ? 'never used' : `last used ${token.last_used_at}`;
  const title = `${token.id}  ${token.name} (${token.scopes.join(', ')})`;
  return `${title}: ${stateOf(token)}, ${use}`;
}

function stateOf({ revoked, active, expires_at: day }: TokenResponse): string {
  if (revoked) return 'revoked';
  if (day === null) return 'never expires';
  return active ? `expires ${day}` : `expired ${day}`;
}

async function revokeToken(cli: Cli, id: number): Promise<void> {
  await cli.withApp((app) => app.get(TokenRevocationService).revoke(id, cli.actor));
  cli.print({ id, revoked: true }, `Token ${id} is revoked.`);
}

async function findUser(app: INestApplicationContext, username: string): Promise<TokenUser> {
  const user = await app.get(CliRepository).findHuman(username);
  if (user === null) throw new CliError(`there is no user ${username}`);
  return user;
}

function assertScopesFit({ admin, username }: TokenUser, scopes: Scope[]): void {
  const beyond = scopes.filter((scope) => !admin && ADMIN_SCOPES.includes(scope));
  if (beyond.length === 0) return;
  throw new CliError(
    `${username} is not an administrator and cannot be granted ${beyond.join(', ')}`,
  );
}
