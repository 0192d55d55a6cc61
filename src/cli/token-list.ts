import { Clock } from '../core/clock.js';
import { Sql } from '../core/sql/sql.service.js';
import { AccessTokensRepository } from '../tokens/access-tokens.repository.js';
import { presentToken, type PresentedToken } from '../tokens/token.presenter.js';
import { type Cli, CliError } from './cli.js';

export interface ListTokensOptions {
  user: string;
  all?: boolean;
}

/** Prints the tokens of a user, bots included, as the API shows them to administrators. */
export async function listTokens(
  cli: Cli,
  { user, all = false }: ListTokensOptions,
): Promise<void> {
  const tokens = await cli.withApp(async (app) => {
    const sql = app.get(Sql);
    const found = await sql.row<{ id: number }>(
      'SELECT id FROM users WHERE lower(username) = lower($1)',
      [user],
    );
    if (found === null) throw new CliError(`there is no user ${user}`);
    const rows = await app.get(AccessTokensRepository).listManagedOfUser(found.id);
    const now = app.get(Clock).now();
    return rows.map((row) => presentToken(row, now)).filter(({ active }) => all || active);
  });
  const lines = tokens.map(describeToken);
  cli.print(tokens, lines.length === 0 ? `${user} has no such token.` : lines.join('\n'));
}

function describeToken(token: PresentedToken): string {
  const use = token.last_used_at === null ? 'never used' : `last used ${token.last_used_at}`;
  const title = `${token.id}  ${token.name} (${token.scopes.join(', ')})`;
  return `${title}: ${stateOf(token)}, ${use}`;
}

function stateOf({ revoked, active, expires_at: day }: PresentedToken): string {
  if (revoked) return 'revoked';
  if (day === null) return 'never expires';
  return active ? `expires ${day}` : `expired ${day}`;
}
