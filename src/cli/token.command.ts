import type { INestApplicationContext } from '@nestjs/common';
import { InvalidArgumentError, Option } from 'commander';
import { ADMIN_SCOPES, PERSONAL_TOKEN_SCOPES, type Scope } from '../core/access/scopes.js';
import { SYSTEM_ACTOR } from '../core/audit/audit.service.js';
import { INVALID, toDate } from '../core/params/coerce.js';
import { Sql } from '../core/sql/sql.service.js';
import { TokenCreationService } from '../tokens/token-creation.service.js';
import { type Cli, CliError, type RegisterCommand } from './cli.js';

interface CreateTokenOptions {
  user: string;
  name: string;
  scope: Scope[];
  expiresAt?: Date;
}

/** `guildhall token create` */
export const registerToken: RegisterCommand = (program, cli) => {
  program
    .command('token')
    .description('manage personal access tokens')
    .command('create')
    .description('create a token and print it; it cannot be shown again')
    .requiredOption('--user <username>', 'whom the token acts as')
    .requiredOption('--name <name>', 'what it is for')
    .addOption(
      new Option('--scope <scope...>', 'what it may do')
        .choices(PERSONAL_TOKEN_SCOPES)
        .makeOptionMandatory(),
    )
    .option('--expires-at <date>', 'the day on which it stops working, UTC (default: never)', day)
    .action((options: CreateTokenOptions) => createToken(cli, options));
};

function day(text: string): Date {
  const date = toDate(text);
  if (date === INVALID || date === null) throw new InvalidArgumentError('Use YYYY-MM-DD.');
  return new Date(`${String(date)}T00:00:00Z`);
}

async function createToken(cli: Cli, options: CreateTokenOptions): Promise<void> {
  const { name, expiresAt = null } = options;
  const scopes = [...new Set(options.scope)];
  if (expiresAt !== null && expiresAt <= new Date())
    throw new CliError('expires-at is in the past');
  const { id, raw } = await cli.withApp(async (app) => {
    const user = await findUser(app, options.user);
    assertScopesFit(user, scopes);
    const input = { userId: user.id, name, scopes, expiresAt };
    const minted = await app.get(TokenCreationService).create(input, SYSTEM_ACTOR);
    return { id: minted.details.id, raw: minted.raw };
  });
  const expires = expiresAt?.toISOString().slice(0, 10) ?? null;
  cli.print({ id, token: raw, user: options.user, name, scopes, expires_at: expires }, raw);
}

interface TokenUser {
  id: number;
  username: string;
  admin: boolean;
}

async function findUser(app: INestApplicationContext, username: string): Promise<TokenUser> {
  const user = await app.get(Sql).row<TokenUser>(
    `SELECT id, username, admin FROM users
       WHERE lower(username) = lower($1) AND user_type <> 'internal'`,
    [username],
  );
  if (user === null) throw new CliError(`there is no user ${username}`);
  return user;
}

function assertScopesFit({ admin, username }: TokenUser, scopes: Scope[]): void {
  const beyond = scopes.filter((scope) => !admin && ADMIN_SCOPES.includes(scope));
  if (beyond.length === 0) return;
  throw new CliError(`${username} is no administrator and cannot have ${beyond.join(', ')}`);
}
